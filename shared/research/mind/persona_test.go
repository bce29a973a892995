package mind_test

import (
	"strings"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
	"github.com/mindgate-dev/mindgate/shared/research/researchtest"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// The persona text is the Mind's own record (M-341): conversations and Studies
// read it by the same respondent.
func TestPersonaTextIsKnowledgeM341(t *testing.T) {
	w := researchtest.With(t, simulate.NewOffline())
	ctx := w.As(t, "lab", account.Free)
	r := clone("Mia")
	r.PersonaContext = "Age: 34\nI own a bakery in Portland. I never eat eggs."
	m := create(t, w, ctx, r).Mind
	w.Run(t)
	reply, err := w.Minds.Chat(ctx, mind.ChatRequest{MindID: m.ID, Message: "Do you own a bakery?"})
	if err != nil {
		t.Fatal(err)
	}
	md := reply.Metadata
	if md.EvidenceState != simulate.Stated || !strings.Contains(reply.Content, "I own a bakery in Portland.") ||
		len(md.AnswerProvenance.SourceIDs) != 1 || md.AnswerProvenance.SourceIDs[0] != simulate.PersonaID || md.KnowledgeRetrieval.Passages != 1 {
		t.Errorf("chat: %s %+v", reply.Content, md)
	}
	rs, err := w.Minds.Respondents(ctx, []string{m.ID})
	if err != nil || len(rs[0].Passages) != 1 || rs[0].Passages[0].Text != "I own a bakery in Portland. I never eat eggs." {
		t.Errorf("a Study's respondent: %+v %v", rs, err)
	}
	before := m.KnowledgeVersion
	if _, err := w.Minds.RegeneratePrompt(ctx, m.ID, "I own a shoe shop."); err != nil {
		t.Fatal(err)
	}
	after, err := w.Minds.Get(ctx, m.ID)
	if err != nil || after.KnowledgeVersion <= before {
		t.Errorf("knowledge version %d after a new persona, %d before (%v)", after.KnowledgeVersion, before, err)
	}
}
