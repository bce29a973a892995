package catalog

// ModelConnectionsTool is advertised only while connections of teams to models
// of their own are on (M-302).
const ModelConnectionsTool = "list_model_connections"
