package parsers

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"path"
	"strings"

	"golang.org/x/net/html/charset"

	"github.com/mindgate-dev/mindgate/shared/extract"
)

const (
	// maxEntries is more parts than any document has; a presentation of a
	// thousand slides has some five thousand.
	maxEntries = 20_000
	// maxUnpacked bounds what the parts that are read unpack to, together.
	maxUnpacked = 256 << 20
	// maxDepth is how deep elements may be nested.
	maxDepth = 2_000
	// maxToken is the longest text or tag of XML that is held.
	maxToken = 8 << 20
)

// office is a document of Office Open XML: a zip file of XML parts. Only the
// parts that are asked for are unpacked, and none is held whole.
type office struct {
	f     *file
	parts map[string]*zip.File
	left  int64 // bytes that may still be unpacked
	// streamed says that parts are held in no way while they are read, so that much
	// of the same in one of them costs time alone, which is bounded.
	streamed bool
}

// openOffice opens a document that must have the part main.
func openOffice(f *file, main string) (*office, error) {
	o, err := unpack(f)
	if err == nil && o.parts[main] == nil {
		err = o.otherwise()
	}
	return o, err
}

// unpack opens the zip file of a document.
func unpack(f *file) (*office, error) {
	var magic [8]byte
	if _, err := f.in.ReadAt(magic[:], 0); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if bytes.Equal(magic[:], compoundMagic) {
		return nil, f.compoundInstead()
	}
	z, err := zip.NewReader(f.in, f.size)
	if err != nil {
		return nil, f.damaged("it is cut short, or not packed as such documents are")
	}
	if len(z.File) > maxEntries {
		return nil, f.problem(extract.CodeTooLarge, "has %d parts, far more than a document has. Save it anew, or send it as PDF.", len(z.File))
	}
	o := &office{f: f, parts: make(map[string]*zip.File, len(z.File)), left: maxUnpacked}
	for _, part := range z.File {
		name := strings.ToLower(strings.TrimPrefix(strings.ReplaceAll(part.Name, `\`, "/"), "/"))
		if o.parts[name] == nil {
			o.parts[name] = part
		}
	}
	return o, nil
}

// otherwise says what a zip file is that is not the document that its name says.
func (o *office) otherwise() error {
	has := func(name string) bool { return o.parts[name] != nil }
	switch {
	case has("word/document.xml"):
		return o.f.problem(extract.CodeMislabelled, "is a Word document. Give it the ending .docx and send it again.")
	case has("ppt/presentation.xml"):
		return o.f.problem(extract.CodeMislabelled, "is a presentation. Give it the ending .pptx and send it again.")
	case has("xl/workbook.bin"):
		return o.f.problem(extract.CodeUnsupported, "is a binary Excel workbook (.xlsb). Save it as .xlsx or CSV and send that.")
	case has("content.xml") && has("mimetype"):
		return o.f.problem(extract.CodeUnsupported, "is an OpenDocument file (.ods, .odt). Save it as .xlsx or CSV if it is a sheet, as PDF if not, and send that.")
	case has("xl/workbook.xml"):
		return o.f.problem(extract.CodeUnsupported, "is a spreadsheet, whatever its name says. Save the sheet as CSV and send that.")
	}
	return o.f.problem(extract.CodeMislabelled, "is a zip archive and no .%s document. Unpack it and send the files one by one.", o.f.Kind)
}

// open unpacks a part as it is read. A part that is missing is empty.
func (o *office) open(name string) (io.ReadCloser, error) {
	part := o.parts[strings.ToLower(name)]
	if part == nil {
		return io.NopCloser(strings.NewReader("")), nil
	}
	if part.Flags&1 != 0 {
		return nil, o.f.problem(extract.CodePassword, "is protected with a password. Save a copy without one and send that.")
	}
	if size := part.UncompressedSize64; size > uint64(max(o.left, 0)) || !o.streamed && size > 16<<20 && size/150 > part.CompressedSize64 {
		return nil, o.tooLarge()
	}
	r, err := part.Open()
	if err != nil {
		return nil, o.f.damaged("one of its parts is not packed as such documents are")
	}
	return &unpacked{o: o, in: r}, nil
}

func (o *office) tooLarge() error {
	return o.f.problem(extract.CodeTooLarge, "unpacks to very much more than its size. Split it into smaller files, or send it as %s.", map[bool]string{true: "CSV", false: "plain text"}[o.streamed])
}

// unpacked counts what comes out of the parts of a document.
type unpacked struct {
	o  *office
	in io.ReadCloser
}

func (u *unpacked) Read(p []byte) (int, error) {
	n, err := u.in.Read(p)
	if u.o.left -= int64(n); u.o.left < 0 {
		return 0, u.o.tooLarge()
	}
	if err != nil && !errors.Is(err, io.EOF) {
		err = u.o.f.damaged("it is cut short or was changed on its way")
	}
	return n, err
}

func (u *unpacked) Close() error { return u.in.Close() }

// walk reads a part token by token; visit gets the local names, whatever
// namespace they stand in: the strict and the usual form differ in that only.
func (o *office) walk(name string, visit func(xml.Token) error) error {
	part, err := o.open(name)
	if err != nil {
		return err
	}
	defer part.Close()
	err = walkXML(part, charset.NewReaderLabel, visit)
	if errors.Is(err, errToken) {
		return o.tooLarge()
	}
	if p := new(extract.Problem); err == nil || errors.As(err, &p) || errors.Is(err, extract.ErrEnough) {
		return err
	}
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.As(err, new(*xml.SyntaxError)) || errors.Is(err, errDepth) ||
		errors.Is(err, errEntities) || foreignCharset(err) {
		return o.f.damaged("its part " + path.Base(name) + " is not built as it should be")
	}
	return err
}

// foreignCharset recognises the error of encoding/xml for an encoding that is not
// known; it has no type.
func foreignCharset(err error) bool { return strings.Contains(err.Error(), "opening charset") }

var (
	errDepth    = errors.New("elements are nested too deeply")
	errEntities = errors.New("entities are declared")
	errToken    = errors.New("a text or a tag has no end")
)

// walkXML reads XML token by token. It expands no entities but those of XML and
// HTML, loads nothing, and refuses a document that declares its own.
func walkXML(in io.Reader, decode func(label string, in io.Reader) (io.Reader, error), visit func(xml.Token) error) error {
	d := xml.NewDecoder(&tagged{in: in})
	d.Strict = false
	d.Entity = xml.HTMLEntity
	d.CharsetReader = decode
	depth := 0
	for {
		tok, err := d.RawToken()
		if errors.Is(err, io.EOF) {
			if depth > 0 {
				return io.ErrUnexpectedEOF
			}
			return nil
		}
		if err != nil {
			// Not all that the decoder finds wrong has a type of its own.
			if !errors.As(err, new(*xml.SyntaxError)) && strings.HasPrefix(err.Error(), "xml: ") && !foreignCharset(err) {
				line, _ := d.InputPos()
				return &xml.SyntaxError{Msg: strings.TrimPrefix(err.Error(), "xml: "), Line: line}
			}
			return err
		}
		switch t := tok.(type) {
		case xml.StartElement:
			if depth++; depth > maxDepth {
				return errDepth
			}
		case xml.EndElement:
			if depth--; depth < 0 {
				return &xml.SyntaxError{Msg: "an element ends that did not begin", Line: 0}
			}
		case xml.Directive:
			if bytes.Contains(t, []byte("<!ENTITY")) {
				return errEntities
			}
		}
		if err := visit(tok); err != nil {
			return err
		}
	}
}

// tagged ends an input in which no tag begins for too long: the decoder would
// gather all of it.
type tagged struct {
	in    io.Reader
	since int
}

func (t *tagged) Read(p []byte) (int, error) {
	n, err := t.in.Read(p)
	if i := bytes.LastIndexByte(p[:n], '<'); i >= 0 {
		t.since = n - i
	} else if t.since += n; t.since > maxToken {
		return 0, errToken
	}
	return n, err
}

// attr is an attribute's value by its local name.
func attr(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// properties reads title, author and language of a document.
func (o *office) properties(info *extract.Info) error {
	into := map[string]*string{"title": &info.Title, "creator": &info.Author, "language": &info.Language}
	var at *string
	err := o.walk("docProps/core.xml", func(tok xml.Token) error {
		switch t := tok.(type) {
		case xml.StartElement:
			at = into[t.Name.Local]
		case xml.EndElement:
			at = nil
		case xml.CharData:
			if at != nil && len(*at) < 1000 {
				*at += string(t)
			}
		}
		return nil
	})
	if p := new(extract.Problem); errors.As(err, &p) && p.Code == extract.CodeDamaged {
		return nil // the text can do without
	}
	return err
}

// targets reads a part's relations: id to the part that it points to.
func (o *office) targets(part string) (map[string]relation, error) {
	out := map[string]relation{}
	dir, name := path.Split(part)
	err := o.walk(dir+"_rels/"+name+".rels", func(tok xml.Token) error {
		if t, ok := tok.(xml.StartElement); ok && t.Name.Local == "Relationship" && attr(t, "TargetMode") != "External" {
			target := attr(t, "Target")
			if !strings.HasPrefix(target, "/") {
				target = path.Join(dir, target)
			}
			out[attr(t, "Id")] = relation{part: strings.TrimPrefix(target, "/"), kind: path.Base(attr(t, "Type"))}
		}
		return nil
	})
	return out, err
}

type relation struct{ part, kind string }
