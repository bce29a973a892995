package parsers

import (
	"errors"
	"io"

	"github.com/richardlehane/mscfb"

	"github.com/mindgate-dev/mindgate/shared/extract"
)

// compoundMagic begins a compound file: the container of Office before 2007, and
// of newer documents that are encrypted.
var compoundMagic = []byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")

const maxStreams = 10_000

// compound reads the named streams of a compound file, each at most as long as
// the file; a stream that is missing is nil. names lists all that there are.
func (f *file) compound(want ...string) (streams map[string][]byte, names map[string]bool, err error) {
	r, err := mscfb.New(f.in)
	if err != nil {
		return nil, nil, f.damaged("it is cut short, or not built as such documents are")
	}
	streams, names = map[string][]byte{}, map[string]bool{}
	for n := 0; ; n++ {
		entry, err := r.Next()
		if errors.Is(err, io.EOF) {
			return streams, names, nil
		}
		if err != nil || n > maxStreams {
			return nil, nil, f.damaged("its table of contents is not whole")
		}
		name := entry.Name
		top := len(entry.Path) == 0
		if !top || names[name] {
			continue
		}
		names[name] = true
		for _, w := range want {
			if w != name {
				continue
			}
			if entry.Size > f.size {
				return nil, nil, f.damaged("it is cut short")
			}
			data, err := io.ReadAll(io.LimitReader(entry, f.size))
			if err != nil {
				return nil, nil, f.damaged("it is cut short")
			}
			streams[name] = data
		}
	}
}

// compoundInstead says what a compound file is that is named as a newer
// document.
func (f *file) compoundInstead() error {
	_, names, err := f.compound()
	if err != nil {
		return err
	}
	return f.notWord(names)
}

// notWord says what a compound file is that is no readable Word document.
func (f *file) notWord(names map[string]bool) error {
	switch {
	case names["EncryptedPackage"], names["EncryptionInfo"]:
		return f.problem(extract.CodePassword, "is protected with a password. Save a copy without one and send that.")
	case names["WordDocument"]:
		return f.problem(extract.CodeMislabelled, "is a Word document of before 2007. Give it the ending .doc and send it again.")
	case names["Workbook"], names["Book"]:
		return f.problem(extract.CodeUnsupported, "is an Excel workbook. Save the sheet as CSV and send that.")
	case names["PowerPoint Document"]:
		return f.problem(extract.CodeUnsupported, "is a presentation of before 2007. Save it as .pptx or PDF and send that.")
	}
	return f.problem(extract.CodeUnsupported, "is no document that can be read. Save it as .docx, PDF or plain text and send that.")
}
