package parsers

import (
	"context"
	"encoding/xml"
	"fmt"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/extract"
)

const presentation = "ppt/presentation.xml"

// maxSlides is more than any presentation for people has.
const maxSlides = 5_000

func readPPTX(_ context.Context, f *file) (extract.Info, error) {
	o, err := openOffice(f, presentation)
	if err != nil {
		return extract.Info{}, err
	}
	var info extract.Info
	if err := o.properties(&info); err != nil {
		return info, err
	}
	slides, err := o.slides()
	if err != nil {
		return info, err
	}
	info.Pages = len(slides)
	for n, part := range slides {
		where := fmt.Sprintf("slide %d", n+1)
		s := &slideText{f: f, where: where}
		if err := o.walk(part, s.token); err != nil {
			return info, err
		}
		if err := s.flush(); err != nil {
			return info, err
		}
		around, err := o.targets(part)
		if err != nil {
			return info, err
		}
		for _, r := range around {
			if r.kind != "notesSlide" {
				continue
			}
			notes := &slideText{f: f, where: where + ", notes", heading: s.heading, notes: true}
			if err := o.walk(r.part, notes.token); err != nil {
				return info, err
			}
			if err := notes.flush(); err != nil {
				return info, err
			}
			break
		}
	}
	return info, nil
}

// slides lists the parts of the slides in the order in which they are shown.
func (o *office) slides() ([]string, error) {
	targets, err := o.targets(presentation)
	if err != nil {
		return nil, err
	}
	var out []string
	seen := map[string]bool{}
	err = o.walk(presentation, func(tok xml.Token) error {
		t, ok := tok.(xml.StartElement)
		if !ok || t.Name.Local != "sldId" {
			return nil
		}
		for _, a := range t.Attr { // r:id, beside an id of its own
			if r, ok := targets[a.Value]; ok && a.Name.Local == "id" && r.kind == "slide" && !seen[r.part] {
				seen[r.part] = true
				out = append(out, r.part)
			}
		}
		if len(out) > maxSlides {
			return o.f.problem(extract.CodeTooLarge, "has more than %d slides. Split it into smaller files.", maxSlides)
		}
		return nil
	})
	return out, err
}

// slideText gathers the paragraphs of a slide: its title is the heading, the
// paragraphs of one shape are one block, table rows one each.
type slideText struct {
	f       *file
	where   string
	heading string
	notes   bool

	shape  strings.Builder
	row    []string
	cell   strings.Builder
	inText int
	inCell bool
	skip   int
	title  bool
	drop   bool // a slide number, a date, a footer, the picture of the slide
}

func (s *slideText) token(tok xml.Token) error {
	switch t := tok.(type) {
	case xml.StartElement:
		return s.start(t)
	case xml.EndElement:
		return s.end(t.Name.Local)
	case xml.CharData:
		if s.inText > 0 && s.skip == 0 {
			s.into().Write(t)
		}
	}
	return nil
}

func (s *slideText) into() *strings.Builder {
	if s.inCell {
		return &s.cell
	}
	return &s.shape
}

func (s *slideText) start(t xml.StartElement) error {
	switch t.Name.Local {
	case "Fallback":
		s.skip++
	case "sp", "graphicFrame":
		return s.flush()
	case "ph":
		switch attr(t, "type") {
		case "title", "ctrTitle":
			s.title = !s.notes
		case "sldNum", "dt", "ftr", "hdr", "sldImg":
			s.drop = true
		}
	case "tc":
		s.inCell = true
	case "t":
		s.inText++
	case "br":
		s.into().WriteByte('\n')
	}
	return nil
}

func (s *slideText) end(name string) error {
	switch name {
	case "Fallback":
		s.skip = max(0, s.skip-1)
	case "t":
		s.inText = max(0, s.inText-1)
	case "p":
		s.into().WriteByte('\n')
	case "tc":
		s.row = append(s.row, strings.Join(strings.Fields(s.cell.String()), " "))
		s.cell.Reset()
		s.inCell = false
	case "tr":
		text := strings.Trim(strings.Join(s.row, " | "), " |")
		s.row = s.row[:0]
		return s.f.put(text, s.where, s.heading)
	case "sp", "graphicFrame":
		return s.flush()
	}
	return nil
}

func (s *slideText) flush() error {
	text := strings.TrimSpace(s.shape.String())
	s.shape.Reset()
	title, drop := s.title, s.drop
	s.title, s.drop = false, false
	if text == "" || drop {
		return nil
	}
	if title {
		s.heading = strings.Join(strings.Fields(text), " ")
		text = s.heading
	}
	return s.f.put(text, s.where, s.heading)
}
