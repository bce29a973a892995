package sourceimport

import (
	"fmt"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mindgate-dev/mindgate/shared/fault"
)

// mediaTypes are the kinds of files that are taken, by their ending.
var mediaTypes = map[string]string{
	".txt": "text/plain; charset=utf-8", ".md": "text/markdown; charset=utf-8",
	".csv": "text/csv; charset=utf-8", ".json": "application/json",
}

func ending(name string) string { return strings.ToLower(path.Ext(name)) }

func bad(field, format string, args ...any) *fault.Error {
	return fault.New(fault.Validation, field+" "+format, args...).With("field", field)
}

func notThere(i int) *fault.Error {
	return bad(fmt.Sprintf("existingFiles[%d].url", i), "names no stored file of yours. Use the url that an earlier import gave, the path of an upload, or send the file in files.")
}

func tooLarge(field string, size int64) *fault.Error {
	return fault.New(fault.PayloadTooLarge, "%s has %d bytes; one file has at most %d, and all new files of an import %d together. Split it, or leave out what is not needed.", field, size, MaxFile, MaxTotal).
		With("field", field).With("limitBytes", MaxFile)
}

func check(r Request) error {
	if len(r.Files)+len(r.Existing) == 0 {
		return bad("files", "is empty and so is existingFiles; give at least one file to import.")
	}
	// Both lists together are the sources of one Audience.
	if n := len(r.Files) + len(r.Existing); n > MaxFiles {
		return bad("files", "and existingFiles have %d entries together; an import takes at most %d files.", n, MaxFiles)
	}
	for i, f := range r.Existing {
		if err := checkName(fmt.Sprintf("existingFiles[%d].name", i), f.Name, false); err != nil {
			return err
		}
		if f.URL == "" || utf8.RuneCountInString(f.URL) > maxURL {
			return bad(fmt.Sprintf("existingFiles[%d].url", i), "must be the address of a stored file, of at most %d characters.", maxURL)
		}
	}
	total := 0
	for i, f := range r.Files {
		field := fmt.Sprintf("files[%d]", i)
		if err := checkName(field+".name", f.Name, true); err != nil {
			return err
		}
		if len(f.Content) > MaxFile {
			return tooLarge(field+".content", int64(len(f.Content)))
		}
		if total += len(f.Content); total > MaxTotal {
			return fault.New(fault.PayloadTooLarge, "The new files have more than %d bytes together. Import them in several calls and name them as existingFiles in the last.", MaxTotal).
				With("field", "files").With("limitBytes", MaxTotal)
		}
		if err := checkText(field+".content", f.Content); err != nil {
			return err
		}
	}
	return nil
}

func checkName(field, name string, kind bool) error {
	switch {
	case strings.TrimSpace(name) == "" || utf8.RuneCountInString(name) > maxName || strings.ContainsFunc(name, unicode.IsControl):
		return bad(field, "must be a file name of 1 to %d characters, such as panel.csv.", maxName)
	case strings.ContainsAny(name, `/\`):
		return bad(field, "must be a file name without folders, such as panel.csv.")
	case kind && mediaTypes[ending(name)] == "":
		return bad(field, "is %q; only .txt, .md, .csv and .json files are imported. Use an upload and files of create_audience_from_brief for other kinds.", name)
	}
	return nil
}

// checkText holds a file to be text: whole UTF-8 with something in it and without
// NUL, which no text has.
func checkText(field, text string) error {
	switch {
	case !utf8.ValidString(text):
		return bad(field, "is not UTF-8 text. Save the file as UTF-8, or upload it and name it in files of create_audience_from_brief.")
	case strings.ContainsRune(text, 0):
		return bad(field, "holds NUL characters, so it is no text. Only text files are imported.")
	case strings.TrimFunc(text, func(r rune) bool { return unicode.IsSpace(r) || r == '\ufeff' }) == "":
		return bad(field, "is blank; there is nothing to read in it.")
	}
	return nil
}
