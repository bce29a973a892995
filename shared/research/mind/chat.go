package mind

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mindgate-dev/mindgate/shared/answer"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/model"
	"github.com/mindgate-dev/mindgate/shared/passing"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

const maxMessage = 32_000 // characters

// Completions are 30 in a sliding minute for each user (M-106).
const (
	chatLimit  = 30
	chatWindow = time.Minute
)

// Chat answers one message as one Mind; nothing is remembered. One synthetic
// response is reserved before and given back when no reply comes of it.
// FEATURE_DISABLED, MODEL_CONNECTION_STALE, MODEL_CONNECTION_UNVERIFIED (M-301),
// SPARK_NOT_READY, RATE_LIMITED, PLAN_LIMIT (responses), USAGE_METERING_UNAVAILABLE.
func (s *Service) Chat(ctx context.Context, r ChatRequest) (ChatReply, error) {
	if strings.TrimSpace(r.Message) == "" && r.Talk == nil {
		return ChatReply{}, invalid("message", "message is blank. Send the text that the Mind should answer.")
	}
	if err := checkLength("message", r.Message, maxMessage); err != nil {
		return ChatReply{}, err
	}
	if !slices.Contains([]string{"", PolicyAuto, PolicyKnowledgeOnly, PolicyRequestOnly}, r.SourcePolicy) {
		return ChatReply{}, invalid("sourcePolicy", "sourcePolicy is %q; it must be auto or knowledge_only.", clip(r.SourcePolicy))
	}
	// A connection is looked at before anything else: it is the caller's own.
	answerer, err := s.answerer(ctx, r.Connection)
	if err != nil {
		return ChatReply{}, err
	}
	modelled, _ := answerer.(Modelled)
	if r.Shape != nil && modelled == nil {
		return ChatReply{}, fault.New(fault.Validation, "response_format needs a model: name a verified modelConnection whose capabilities.structuredOutput is true, or leave response_format out.").
			With("errorType", "unsupported_model_capability")
	}
	if len(r.System) > 0 && modelled == nil {
		return ChatReply{}, fault.New(fault.Validation, "Messages of the system are instructions to a model, and the offline engine follows none. Name a verified modelConnection, or leave them out.").
			With("errorType", "unsupported_model_capability")
	}
	talker, err := r.Talk.talker(answerer)
	if err != nil {
		return ChatReply{}, err
	}
	m, err := s.Resolve(ctx, r.MindID, r.MindName)
	if err != nil {
		return ChatReply{}, err
	}
	policy := effectivePolicy(m.SourcePolicy, r.SourcePolicy)
	if r.Talk != nil && policy == PolicyKnowledgeOnly {
		return ChatReply{}, fault.New(fault.Validation, "Under knowledge_only a Mind answers from its knowledge alone: leave attachedFiles, images and tools out, or give the files to the Mind as knowledge. A Mind saved as knowledge_only stays so.").
			With("errorType", "invalid_prompt")
	}
	if !m.ReadyToChat() {
		return ChatReply{}, notReady(m)
	}
	// Who calls too often costs no loading.
	room, err := s.d.Accounts.SlideRoom(ctx, "completion", chatLimit, chatWindow)
	if err != nil {
		return ChatReply{}, err
	}
	me, err := s.Answering(ctx, m)
	if err != nil {
		return ChatReply{}, err
	}
	if policy == PolicyRequestOnly {
		me.Passages, me.Evidence, me.Recall = nil, nil, nil
	}
	var told []string
	for _, text := range r.System {
		told = append(told, "Note for this conversation: "+text)
	}
	if told = append(told, r.Notes...); len(told) > 0 { // first, since a long persona may be cut at its end
		me.SystemPrompt = strings.TrimSpace(strings.Join(told, "\n\n") + "\n\n" + me.SystemPrompt)
	}
	talk, err := r.Talk.read(ctx, talker)
	if err != nil {
		return ChatReply{}, err
	}
	advance, err := s.d.Accounts.TakeResponses(ctx, 1, s.d.Clock.Now())
	if err != nil {
		return ChatReply{}, err
	}
	var said answer.Said
	if r.Talk != nil {
		said, err = talker.Talk(ctx, me, talk, simulate.Policy{})
	} else {
		said.Reply, err = answerer.Reply(ctx, me, r.Message, simulate.Policy{KnowledgeOnly: policy == PolicyKnowledgeOnly, History: r.History})
	}
	reply := said.Reply
	var parsed json.RawMessage
	if err == nil && r.Shape != nil && len(said.Calls) == 0 { // a reply that waits for a tool has no form yet
		parsed, err = modelled.Shape(ctx, reply.Text, r.Shape)
	}
	// The caller may be gone; what it took must be settled all the same. What fails
	// here, the sweep mends in the caller's favour.
	settle := advance.Keep
	if err != nil {
		settle = advance.Return
	}
	if failed := settle(context.WithoutCancel(ctx)); failed != nil {
		s.d.Log.ErrorContext(ctx, "a response taken in advance was not settled", "workspace", m.Workspace, "error", failed)
	}
	if err != nil {
		return ChatReply{}, Ungenerated(err)
	}
	out := s.chatReply(m, me, policy, answerer.Info(), reply)
	out.Parsed, out.Room, out.Offline, out.Calls = parsed, room, modelled == nil, said.Calls
	return out, nil
}

func (s *Service) chatReply(m Mind, me simulate.Respondent, policy string, info simulate.Info, reply simulate.Reply) ChatReply {
	return ChatReply{
		MindID: m.ID, MindName: m.Name, MessageID: s.d.IDs.NewID(), Content: reply.Text, MindURL: s.URL(m.ID),
		Metadata: MetadataOf(me, policy, info, reply),
	}
}

// MetadataOf says what a reply rests on and who gave it (M-340).
func MetadataOf(me simulate.Respondent, policy string, info simulate.Info, reply simulate.Reply) ReplyMetadata {
	citations := reply.Citations
	if citations == nil {
		citations = []simulate.Citation{}
	}
	return ReplyMetadata{
		Citations: citations, SourcePolicy: policy,
		KnowledgeRetrieval: KnowledgeRetrieval{
			Passages: len(me.Passages), Distributions: len(me.Evidence),
			Used: len(reply.SourceIDs), Fallback: reply.Fallback,
		},
		AnswerProvenance: ProvenanceOf(reply.State, reply.SourceIDs, reply.Citations),
		EvidenceState:    reply.State,
		Engine:           Engine{Name: info.Name, Version: info.Version, Simulated: true, Embeddings: info.Embeddings},
	}
}

// Called tells a prompt how the person who asks is called; nothing without a name.
func Called(endUserName string) []string {
	name := strings.Join(strings.Fields(endUserName), " ")
	if name == "" {
		return nil
	}
	return []string{fmt.Sprintf("The person you talk with is called %q.", name)}
}

// Ungenerated is the refusal that stands for an answer that a model or an engine
// failed to give. Of a provider's trouble only its sort is said, and to the log
// alone what it was (M-11); a refusal and an ended context stay what they are.
func Ungenerated(err error) error {
	var f *fault.Error
	var m *model.Error
	_, passing := passing.Advice(err)
	switch {
	case errors.As(err, &f), errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded), passing:
		return err
	case errors.As(err, &m) && m.Kind == model.KindUnknownModel:
		return fault.New(fault.Validation, "The provider knows no model by the name of this connection.").With("errorType", "model_not_found").Because(err)
	case errors.As(err, &m) && m.Kind == model.KindUnsupported:
		return fault.New(fault.Validation, "The model cannot do what the request asks of it.").With("errorType", "unsupported_model_capability").Because(err)
	case errors.As(err, &m) && m.Kind == model.KindInvalid:
		return fault.New(fault.Validation, "The model does not take this request; it may be too long for it.").With("errorType", "invalid_prompt").Because(err)
	}
	return fault.New(fault.Internal, "No answer was generated; nothing is charged, and nothing else answered in its place. Try again later.").
		With("errorType", "ai_generation_error").Because(err)
}

// ProvenanceOf derives the origin of an answer from what it rests on (M-342).
func ProvenanceOf(state simulate.State, sourceIDs []string, citations []simulate.Citation) Provenance {
	if sourceIDs == nil {
		sourceIDs = []string{}
	}
	p := Provenance{SourceIDs: sourceIDs}
	switch state {
	case simulate.Stated:
		p.Origin = "mind_knowledge"
	case simulate.Grounded, simulate.Related:
		p.Origin = "audience_grounding"
		if len(citations) > 0 {
			p.Origin = "cited_sources"
		}
	case simulate.Trait:
		p.Origin = "mind_personality"
	default:
		p.Origin, p.Unsupported = "unsupported", true
	}
	return p
}

// effectivePolicy never loosens what is stored (M-27).
func effectivePolicy(stored, asked string) string {
	switch {
	case stored == PolicyKnowledgeOnly || asked == PolicyKnowledgeOnly:
		return PolicyKnowledgeOnly
	case asked == PolicyRequestOnly:
		return PolicyRequestOnly
	}
	return PolicyAuto
}

func connectionsOff() *fault.Error {
	return fault.New(fault.FeatureDisabled, "Model connections are switched off on this gateway. Leave modelConnection out.")
}

func notReady(m Mind) *fault.Error {
	status := m.shownStatus()
	way := "Poll get_mind_status until readyToChat is true."
	if status == Failed {
		way = "It has no prompt to answer from: give it knowledge if it has none (manage_mind_knowledge), then call manage_mind with action regenerate_prompt."
	}
	return fault.New(fault.SparkNotReady, "This Mind cannot answer yet: its training is %s. %s", status, way).
		With("mindId", m.ID).With("trainingStatus", status)
}
