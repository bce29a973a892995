package simulate

// LanguageOf tells the language of a text (en, es, fr, de, zh, tr, ar, ja, ko) where
// it is plainly one of these; else "".
func LanguageOf(text string) string { return languageOf(text) }
