package parsers

import (
	"net/url"
	"strings"

	"codeberg.org/readeck/go-readability/v2"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/mindgate-dev/mindgate/shared/extract"
)

// readPage reads the main content of a web page, or if there is none to be found
// all of it but menus, headers and footers.
func readPage(f *file, doc *html.Node) (extract.Info, error) {
	address, err := url.Parse(f.PageURL)
	if err != nil {
		address = &url.URL{}
	}
	whole := &htmlText{f: f}
	whole.about(doc)
	var info extract.Info
	article, err := readability.FromDocument(doc, address)
	found := err == nil && article.Node != nil
	if found {
		var text strings.Builder
		found = article.RenderText(&text) == nil && len([]rune(strings.TrimSpace(text.String()))) >= leastArticle
	}
	if !found {
		whole.frame = true
		title := whole.info.Title
		whole.info.Title = ""
		whole.node(doc)
		if title != "" { // the walk meets it again, and the titles of drawings
			whole.info.Title = title
		}
		return whole.info, whole.finish()
	}
	info = whole.info
	if t := article.Title(); t != "" {
		info.Title = t
	}
	if b := article.Byline(); b != "" {
		info.Author = b
	}
	if l := article.Language(); l != "" {
		info.Language = l
	}
	w := &htmlText{f: f, heading: info.Title}
	w.node(article.Node)
	return info, w.finish()
}

// about reads the title and the like from the head of a page.
func (w *htmlText) about(n *html.Node) {
	if n.Type == html.ElementNode {
		switch n.DataAtom {
		case atom.Html, atom.Meta:
			w.start(n.DataAtom, n.Attr)
		case atom.Title:
			if n.FirstChild != nil && w.info.Title == "" {
				w.info.Title = n.FirstChild.Data
			}
		case atom.Body:
			return
		}
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		w.about(c)
	}
}
