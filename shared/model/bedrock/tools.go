package bedrock

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime/document"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime/types"

	"github.com/mindgate-dev/mindgate/shared/model"
)

// turns writes the messages. What several tools gave goes into one turn of the
// user, together with what the user says right after it.
func turns(messages []model.Message) ([]types.Message, error) {
	var out []types.Message
	results := false // the last turn holds what tools gave
	for _, m := range messages {
		blocks, err := blocksOf(m)
		if err != nil {
			return nil, err
		}
		role := types.ConversationRoleUser
		if m.Role == model.Assistant {
			role = types.ConversationRoleAssistant
		}
		if results && role == types.ConversationRoleUser {
			last := &out[len(out)-1]
			last.Content = append(last.Content, blocks...)
		} else {
			out = append(out, types.Message{Role: role, Content: blocks})
		}
		results = m.Role == model.ToolRole
	}
	return out, nil
}

func blocksOf(m model.Message) ([]types.ContentBlock, error) {
	if m.Role == model.ToolRole {
		return []types.ContentBlock{&types.ContentBlockMemberToolResult{Value: types.ToolResultBlock{
			ToolUseId: aws.String(m.CallID), Content: []types.ToolResultContentBlock{&types.ToolResultContentBlockMemberText{Value: m.Text}},
		}}}, nil
	}
	var blocks []types.ContentBlock
	for _, i := range m.Images {
		blocks = append(blocks, &types.ContentBlockMemberImage{Value: types.ImageBlock{
			Format: types.ImageFormat(strings.TrimPrefix(i.MediaType, "image/")), Source: &types.ImageSourceMemberBytes{Value: i.Data},
		}})
	}
	if m.Text != "" {
		blocks = append(blocks, &types.ContentBlockMemberText{Value: m.Text})
	}
	for _, c := range m.Calls {
		var input map[string]any
		if err := json.Unmarshal([]byte(c.Arguments), &input); err != nil {
			return nil, fmt.Errorf("bedrock: arguments of a call of %s: %w", c.Name, err)
		}
		blocks = append(blocks, &types.ContentBlockMemberToolUse{Value: types.ToolUseBlock{
			ToolUseId: aws.String(c.ID), Name: aws.String(c.Name), Input: document.NewLazyDocument(input),
		}})
	}
	return blocks, nil
}

// noCall is said where no tool is to be called: the API has no choice for it, and
// wants to know the tools of which a conversation holds calls.
const noCall = "Call no tool in this turn; answer in words."

// offer adds the tools of a request. Nothing says that one call is the most: what
// is more is left out of the answer by whoever checks it.
func (q *query) offer(r model.Request) error {
	if len(r.Tools) == 0 {
		return nil
	}
	none := r.Choice.Mode == model.ChooseNone
	if none {
		called := false
		for _, m := range r.Messages {
			called = called || len(m.Calls) > 0
		}
		if !called {
			return nil
		}
		q.system = append(q.system, &types.SystemContentBlockMemberText{Value: noCall})
	}
	q.offers, q.tools = true, &types.ToolConfiguration{}
	for _, t := range r.Tools {
		schema, err := model.ToolParameters(t)
		if err != nil {
			return err
		}
		spec := types.ToolSpecification{Name: aws.String(t.Name), InputSchema: &types.ToolInputSchemaMemberJson{Value: document.NewLazyDocument(schema)}}
		if t.Description != "" {
			spec.Description = aws.String(t.Description)
		}
		if t.Strict {
			spec.Strict = aws.Bool(true)
		}
		q.tools.Tools = append(q.tools.Tools, &types.ToolMemberToolSpec{Value: spec})
	}
	switch r.Choice.Mode {
	case model.ChooseAny:
		q.tools.ToolChoice = &types.ToolChoiceMemberAny{}
	case model.ChooseTool:
		q.tools.ToolChoice = &types.ToolChoiceMemberTool{Value: types.SpecificToolChoice{Name: aws.String(r.Choice.Name)}}
	}
	return nil
}

// gathered puts the calls of a stream together.
type gathered struct {
	calls []model.ToolCall
	at    map[int32]int // index of a block to its call
}

func (g *gathered) start(e types.ContentBlockStartEvent) {
	use, ok := e.Start.(*types.ContentBlockStartMemberToolUse)
	if !ok {
		return
	}
	if g.at == nil {
		g.at = map[int32]int{}
	}
	g.at[aws.ToInt32(e.ContentBlockIndex)] = len(g.calls)
	g.calls = append(g.calls, model.ToolCall{ID: aws.ToString(use.Value.ToolUseId), Name: aws.ToString(use.Value.Name)})
}

func (g *gathered) add(index *int32, piece string) {
	if at, ok := g.at[aws.ToInt32(index)]; ok {
		g.calls[at].Arguments += piece
	}
}
