package formation

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/mindgate-dev/mindgate/shared/research/audience"
)

// M-150: of two rows of one default the ready one is shown, then the one that
// builds; M-157: private ones only to who made them.
func TestVisibleRows(t *testing.T) {
	owner := seen{Audience: audience.Audience{ID: "a"}, role: audience.Owner, account: "owner"}
	viewer := seen{Audience: audience.Audience{ID: "a"}, role: audience.TeamMember, account: "viewer"}
	rows := []row{
		{ID: "1", Source: Auto, DimensionKey: "age", Status: Failed, Visibility: Shared},
		{ID: "2", Source: Manual, Status: Ready, Visibility: Private, CreatedBy: "viewer"},
		{ID: "3", Source: Auto, DimensionKey: "age", Status: Building, Visibility: Shared},
		{ID: "4", Source: Auto, DimensionKey: "age", Status: Ready, Visibility: Shared},
		{ID: "5", Source: Auto, DimensionKey: "gender", Status: Building, Visibility: Shared},
		{ID: "6", Source: Manual, Status: Ready, Visibility: Shared, CreatedBy: "owner"},
		{ID: "7", Source: Auto, DimensionKey: "gender", Status: Failed, Visibility: Shared},
	}
	ids := func(rows []row) string {
		out := ""
		for _, r := range rows {
			out += r.ID
		}
		return out
	}
	if got := ids(visible(rows, owner)); got != "456" {
		t.Errorf("the owner sees %s", got)
	}
	if got := ids(visible(rows, viewer)); got != "2456" {
		t.Errorf("a viewer sees %s", got)
	}
	for _, c := range []struct {
		who        seen
		visibility string
		by         string
		may        bool
	}{{owner, Shared, "else", true}, {viewer, Shared, "owner", false}, {viewer, Private, "viewer", true}, {owner, Private, "viewer", false}, {seen{role: audience.RoleMember, account: "m"}, Shared, "owner", true}, {viewer, Shared, "viewer", true}} {
		if got := c.who.mutates(c.visibility, c.by); got != c.may {
			t.Errorf("%s may change %s of %s: %v", c.who.account, c.visibility, c.by, got)
		}
	}
}

// M-158: whatever the axes and the input, a proposal is fit for create.
func TestProposalsAreCreatable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 6).Draw(t, "axes")
		var axes []axis
		for i := range n {
			ax := axis{name: rapid.SampledFrom([]string{"Age", "Gender", "Household income", "Région", "地域", "x"}).Draw(t, "name") + fmt.Sprint(i), dim: "age"}
			for k := range rapid.IntRange(0, 40).Draw(t, "segments") {
				ax.segments = append(ax.segments, part{rapid.SampledFrom([]string{"18-24", "65+", "unanswered", "Ünder", "<b>", "> 60", "!!", "a"}).Draw(t, "label") + fmt.Sprint(k), rapid.IntRange(0, 9).Draw(t, "members")})
			}
			axes = append(axes, ax)
		}
		h, err := propose(axes, rapid.SampledFrom([]string{"by age0", "income", "", "18-240", "地域2"}).Draw(t, "input"))
		if err != nil {
			return
		}
		clean, err := h.checked()
		if err != nil {
			t.Fatal(err)
		}
		// A rework of it is fit for create as well, or refused.
		if again, err := rework(clean, "merge "+clean.Subgroups[0].Label+" and "+clean.Subgroups[1].Label); err == nil {
			if _, err := again.checked(); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// Of more than 15 segments the largest stay, in their order.
func TestLargestSegmentsStay(t *testing.T) {
	ax := axis{name: "State", dim: "geography"}
	for i := range 30 {
		ax.segments = append(ax.segments, part{fmt.Sprint("S", i), i % 10})
	}
	h := splitBy(ax)
	if len(h.Subgroups) != 15 || h.Subgroups[0].Label != "S5" || h.Subgroups[4].Label != "S9" {
		t.Errorf("%d: %v", len(h.Subgroups), h.Subgroups)
	}
}

// The denial of a word is another word.
func TestFeatures(t *testing.T) {
	asked := bucketFeatures(Hypothesis{Subgroups: []Bucket{{Label: "Parents", Definition: "Members who have children"}, {Label: "Childless", Definition: "Members who have no children"}}})
	with, without := features("I have two children and a dog."), features("I have no children.")
	if share(asked[0], with) <= share(asked[1], with) || share(asked[1], without) <= share(asked[0], without) {
		t.Errorf("with: %v %v, without: %v %v", share(asked[0], with), share(asked[1], with), share(asked[0], without), share(asked[1], without))
	}
}
