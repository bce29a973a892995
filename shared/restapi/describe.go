package restapi

import "maps"

// within gives a copy of a schema in which the one at a path of fields and "[]" is
// changed. The contract itself is shared and stays as it is.
func within(schema map[string]any, path []string, change func(map[string]any)) map[string]any {
	out := maps.Clone(schema)
	if len(path) == 0 {
		change(out)
		return out
	}
	if path[0] == "[]" {
		if items, ok := out["items"].(map[string]any); ok {
			out["items"] = within(items, path[1:], change)
		}
		return out
	}
	props, _ := out["properties"].(map[string]any)
	if field, ok := props[path[0]].(map[string]any); ok {
		props = maps.Clone(props)
		props[path[0]] = within(field, path[1:], change)
		out["properties"] = props
	}
	return out
}

// describeUsage adds what the team's own models used.
func describeUsage(a *agreed) {
	count := map[string]any{"type": "integer", "minimum": 0}
	row := map[string]any{
		"type": "object",
		"properties": map[string]any{
			"connectionId": map[string]any{"type": "string", "format": "uuid"},
			"month":        map[string]any{"type": "string", "pattern": "^[0-9]{4}-[0-9]{2}$"},
			"calls":        count, "inputTokens": count, "outputTokens": count, "cachedInputTokens": count,
		},
		"required": []any{"connectionId", "month", "calls", "inputTokens", "outputTokens", "cachedInputTokens"},
	}
	ok, _ := a.Response["200"].(map[string]any)
	a.Response = maps.Clone(a.Response)
	a.Response["200"] = within(ok, []string{"data"}, func(data map[string]any) {
		props, _ := data["properties"].(map[string]any)
		props = maps.Clone(props)
		props["modelTokens"] = map[string]any{"type": "array", "items": row,
			"description": "What the team's model connections used in this month and the one before, by their providers' word; cached input is part of the input. Revoked connections stay."}
		data["properties"] = props
	})
}

// describeCompletion says what the contract leaves open: the forms of tools, calls
// and parts. They are checked by the handler, which names what does not fit.
func describeCompletion(a *agreed) {
	say := func(text string) func(map[string]any) {
		return func(s map[string]any) { s["description"] = text }
	}
	for _, one := range []struct {
		path []string
		text string
	}{
		{[]string{"tools", "[]"}, `{"type":"function","function":{"name","description"?,"parameters"?,"strict"?}}; the gateway never runs one.`},
		{[]string{"tool_choice"}, `"auto", "none", "required", or {"type":"function","function":{"name"}}; with tools alone.`},
		{[]string{"parallel_tool_calls"}, "false: at most one call in a reply."},
		{[]string{"messages", "[]", "content"}, `A text, or a list of {"type":"text","text"} and, of the user, {"type":"image_url","image_url":{"url"}}: https, the path of an upload, or data:image/…;base64. PNG, JPEG, GIF or WebP, at most 3,750,000 bytes each. May be left out beside tool_calls.`},
		{[]string{"messages", "[]", "tool_calls", "[]"}, `As the reply gave it: {"id","type":"function","function":{"name","arguments"}}. One message of the role tool follows for each.`},
		{[]string{"messages", "[]", "metadata", "attachedFiles"}, "Pictures, and texts in UTF-8 (.txt, .md, .csv, .json) of at most 60,000 characters, by url or by the path of an upload; 20 of a request, images included. Other files are given to the Mind as knowledge."},
	} {
		a.Request.Body = within(a.Request.Body, one.path, say(one.text))
	}
	ok, _ := a.Response["200"].(map[string]any)
	a.Response = maps.Clone(a.Response)
	a.Response["200"] = within(ok, []string{"tool_calls", "[]"}, say(`{"id","type":"function","function":{"name","arguments"}}; arguments is a JSON object in a string. content may be empty beside them.`))
}

// describePrompt names the refusal of a Mind that is being trained, whose prompt
// would be written over.
func describePrompt(a *agreed) {
	a.StatusCodes = maps.Clone(a.StatusCodes)
	a.StatusCodes["409"] = "RETRAIN_IN_FLIGHT: the Mind is being trained, which writes its prompt"
}
