package router

// Tools are the tools that have a function in the stack. The router cannot ask
// their packages, which hold the research; a test holds the list to them.
func Tools() []string {
	return []string{
		"ask_study",
		"chat_with_mind",
		"create_audience",
		"create_mind",
		"create_study",
		"export_study",
		"get_audience",
		"get_mind_status",
		"get_study_analytics",
		"get_study_status",
		"list_audiences",
		"list_minds",
		"list_studies",
	}
}
