package restapi

import (
	"context"

	"github.com/mindgate-dev/mindgate/shared/research/audience"
)

// previewMembers is how many members a preview of an Audience shows.
const previewMembers = 12

// audienceRow is an Audience in lists; its members are always there over REST.
type audienceRow struct {
	audience.Summary
	Minds         []audience.Member `json:"minds"`
	PublicShareID *string           `json:"publicShareId"`
}

func rowOf(s audience.Summary) audienceRow {
	row := audienceRow{Summary: s, Minds: s.Minds, PublicShareID: s.PublicShareID}
	if row.Minds == nil {
		row.Minds = []audience.Member{}
	}
	return row
}

func listAudiences(ctx context.Context, c *call) (reply, error) {
	limit, offset := c.number("limit"), c.number("offset")
	list, total, err := c.Audiences.List(ctx, limit, offset, true)
	if err != nil {
		return reply{}, err
	}
	rows := make([]audienceRow, len(list))
	for i, s := range list {
		rows[i] = rowOf(s)
	}
	return paged(rows, page{Total: total, Limit: limit, Offset: offset})
}

func createAudience(ctx context.Context, c *call) (reply, error) {
	var in struct {
		Name        string   `json:"name"`
		MindIDs     []string `json:"mindIds"`
		LinkSharing bool     `json:"isLinkSharingEnabled"`
	}
	if err := c.decode(&in); err != nil {
		return reply{}, err
	}
	made, err := c.Audiences.Create(ctx, audience.CreateRequest{
		Name: in.Name, MindIDs: in.MindIDs, LinkSharing: in.LinkSharing, Key: c.sent("x-minds-idempotency-key"),
	})
	if err != nil {
		return reply{}, err
	}
	s, err := c.Audiences.Summary(ctx, made.Audience, true)
	if err != nil {
		return reply{}, err
	}
	return created(made.Replayed, data(rowOf(s)))
}

// audienceDetail adds what only REST tells.
type audienceDetail struct {
	audience.Detail
	MembersLoaded bool `json:"membersLoaded"` // false in a preview that leaves members out
}

func getAudience(ctx context.Context, c *call) (reply, error) {
	d, err := c.Audiences.Detail(ctx, c.id("audienceId"))
	if err != nil {
		return reply{}, err
	}
	out := audienceDetail{Detail: d, MembersLoaded: true}
	if c.text("members") == "preview" && len(out.Minds) > previewMembers {
		out.Minds, out.MembersLoaded = out.Minds[:previewMembers], false
	}
	return ok(data(out))
}
