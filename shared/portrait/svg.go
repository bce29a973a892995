package portrait

import (
	"encoding/xml"
	"fmt"
	"strconv"
	"strings"
)

// svg writes the shapes as a picture of their own.
func svg(shapes []shape, alt, version string) ([]byte, error) {
	var b strings.Builder
	var label strings.Builder
	if err := xml.EscapeText(&label, []byte(alt)); err != nil {
		return nil, err
	}
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img" aria-labelledby="t"><title id="t">%s</title><desc>Mindgate %s</desc>`,
		Size, Size, Size, Size, label.String(), version)
	ids := map[*path]int{}
	for _, s := range shapes {
		if s.clip != nil && ids[s.clip] == 0 {
			ids[s.clip] = len(ids) + 1
			fmt.Fprintf(&b, `<clipPath id="c%d"><path d="%s"/></clipPath>`, ids[s.clip], s.clip.data())
		}
		fmt.Fprintf(&b, `<path fill="#%02x%02x%02x"`, s.fill.r, s.fill.g, s.fill.b)
		if s.alpha < 100 {
			fmt.Fprintf(&b, ` fill-opacity=".%02d"`, s.alpha)
		}
		if s.clip != nil {
			fmt.Fprintf(&b, ` clip-path="url(#c%d)"`, ids[s.clip])
		}
		fmt.Fprintf(&b, ` d="%s"/>`, s.path.data())
	}
	b.WriteString("</svg>\n")
	return []byte(b.String()), nil
}

// data is the path in SVG's letters, in pixels with one decimal.
func (p path) data() string {
	var b []byte
	number := func(v int) {
		if v < 0 {
			b, v = append(b, '-'), -v
		}
		b = strconv.AppendInt(b, int64(v/unit), 10)
		if v%unit != 0 {
			b = append(b, '.', byte('0'+v%unit))
		}
	}
	for _, s := range p {
		switch s.kind {
		case 'z':
			b = append(b, 'Z')
			continue
		case 'c':
			b = append(b, 'C')
		case 'm':
			b = append(b, 'M')
		default:
			b = append(b, 'L')
		}
		from := 2
		if s.kind == 'c' {
			from = 0
		}
		for i := from; i < 3; i++ {
			if i > from {
				b = append(b, ' ')
			}
			number(s.to[i].x)
			b = append(b, ' ')
			number(s.to[i].y)
		}
	}
	return string(b)
}
