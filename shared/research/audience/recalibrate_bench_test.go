package audience_test

import (
	"fmt"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/research/audience"
	"github.com/mindgate-dev/mindgate/shared/research/researchtest"
)

// BenchmarkRecalibrate measures a recalibration from its call to its answer, for one,
// two and four times as many members: a share moves few, a trait rewrites all.
func BenchmarkRecalibrate(b *testing.B) {
	for _, n := range []int{125, 250, 500} {
		w := researchtest.New(b)
		ctx := w.As(b, "lab", account.Enterprise)
		a := made(b, w, ctx, parents, n)
		p := account.From(ctx)
		for kind, texts := range map[string][2]string{
			"share": {"make it 50 % women", "make it 60 % women"}, "trait": {"they are all vegan now", "they are all cyclists now"},
		} {
			b.Run(fmt.Sprintf("%s/%d", kind, n), func(b *testing.B) {
				for i := 0; b.Loop(); i++ {
					first := must[audience.Recalibration](b)(w.Audiences.Recalibrate(ctx, audience.RecalibrateRequest{AudienceID: a.ID, Instruction: texts[i%2]}, 0))
					w.Engine.Take()
					job := audience.RecalibrationJob{Job: first.JobID, Workspace: p.Workspace, Account: p.Account, Audience: a.ID}
					for {
						s, err := w.Audiences.Step(ctx, job)
						if err != nil {
							b.Fatal(err)
						}
						if s.Done || s.Wait {
							break
						}
					}
					b.StopTimer() // nobody trains in this world: let it go
					w.Clock.Advance(audience.RecalibrationLife)
					if _, err := w.Audiences.Step(ctx, job); err != nil {
						b.Fatal(err)
					}
					w.Engine.Take()
					b.StartTimer()
				}
			})
		}
	}
}
