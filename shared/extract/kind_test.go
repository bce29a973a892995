package extract_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/extract"
)

// M-115, M-271: the content decides what a file is, and a name that disagrees is
// refused with the way out.
func TestKindOf(t *testing.T) {
	const (
		pdf = "%PDF-1.7\n%\xe2\xe3\xcf\xd3\n"
		zip = "PK\x03\x04\x14\x00\x00\x00\x08\x00"
		ole = "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\x00\x00"
		png = "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"
	)
	cases := []struct {
		file, media, head string
		want              extract.Kind
		code              string
	}{
		{file: "a.pdf", head: pdf, want: extract.PDF},
		{file: "A.PDF", head: "\x00\x00" + pdf, want: extract.PDF},
		{file: "https://example.org/x", media: "application/pdf", head: pdf, want: extract.PDF},
		{head: pdf, want: extract.PDF},
		{file: "a.txt", head: pdf, code: extract.CodeMislabelled},
		{file: "a.pdf", head: "<!DOCTYPE html><html>", code: extract.CodeMislabelled},
		{file: "a.pdf", head: "plain words", code: extract.CodeMislabelled},
		{file: "a.docx", head: zip + "[Content_Types].xml", want: extract.DOCX},
		{file: "a.docx", head: zip + "xl/workbook.xml", code: extract.CodeMislabelled},
		{file: "a.docx", head: zip + "ppt/slides", code: extract.CodeMislabelled},
		{file: "a.docx", head: ole, want: extract.DOCX}, // encrypted
		{file: "a.docx", head: "text", code: extract.CodeMislabelled},
		{file: "a.pptx", head: zip, want: extract.PPTX},
		{head: zip + "word/document.xml", want: extract.DOCX},
		{media: "application/vnd.openxmlformats-officedocument.presentationml.presentation", head: zip, want: extract.PPTX},
		{file: "a.zip", head: zip, code: extract.CodeUnsupported},
		{file: "a.xlsx", head: zip + "xl/workbook.xml", code: extract.CodeUnsupported},
		{file: "a.odt", head: zip + "mimetypeapplication/vnd.oasis.opendocument.text", code: extract.CodeUnsupported},
		{file: "a.doc", head: ole, want: extract.DOC},
		{file: "a.doc", head: "{\\rtf1 x", want: extract.RTF},
		{file: "a.doc", head: zip + "word/", want: extract.DOCX},
		{file: "a.rtf", head: "{\\rtf1 x", want: extract.RTF},
		{file: "a.txt", head: "{\\rtf1 x", code: extract.CodeMislabelled},
		{file: "a.csv", head: "a;b\n1;2", want: extract.CSV},
		{file: "a.csv", head: png, code: extract.CodeMislabelled},
		{file: "a.json", head: " {\"a\":1}", want: extract.JSON},
		{file: "a.json", head: "hello", code: extract.CodeMislabelled},
		{file: "a.jsonl", head: "{}\n{}", want: extract.JSON},
		{file: "a.xml", head: "\xef\xbb\xbf<?xml version='1.0'?>", want: extract.XML},
		{file: "a.xml", head: "nope", code: extract.CodeMislabelled},
		{file: "a.xml", head: "<?xml version='1.0'?><html xmlns='x'>", want: extract.HTML},
		{file: "a.html", head: "<p>x", want: extract.HTML},
		{file: "page", media: "text/html; charset=utf-8", head: "<p>x", want: extract.HTML},
		{file: "page", head: "\n<!doctype HTML>", want: extract.HTML},
		{file: "a.txt", head: "<!doctype html>", want: extract.Text},
		{file: "notes.v2", head: "some words", want: extract.Text},
		{file: "notes", media: "text/markdown", head: "# x", want: extract.MD},
		{file: "a.md", head: "# x", want: extract.MD},
		{file: "a.txt", head: "\xff\xfeh\x00i\x00", want: extract.Text},
		{file: "a.txt", head: "gr\xfc\xdfe", want: extract.Text},
		{file: "a.txt", head: "\x00\x01\x02\x03", code: extract.CodeMislabelled},
		{file: "a.bin", head: "\x00\x01\x02\x03", code: extract.CodeMislabelled},
		{file: "a.txt", head: "", code: extract.CodeNoText},
		{file: "a.pdf", head: " \n", code: extract.CodeNoText},
		{file: "a.png", head: png, want: extract.Image},
		{file: "a.jpg", head: png, want: extract.Image},
		{file: "a.png", head: "GIF89a", want: extract.Image},
		{file: "a.png", head: "text", code: extract.CodeMislabelled},
		{file: "a.webp", head: "RIFF\x00\x00\x00\x00WEBPVP8 ", want: extract.Image},
		{file: "a.heic", head: "\x00\x00\x00\x18ftypheic", code: extract.CodeUnsupported},
		{file: "a.mp3", head: "ID3\x03", code: extract.CodeUnsupported},
		{file: "a.exe", head: "MZ\x90\x00\x03", code: extract.CodeUnsupported},
		{file: "a.gz", head: "\x1f\x8b\x08", code: extract.CodeUnsupported},
		{file: "a.svg", head: "<svg xmlns='x'>", code: extract.CodeUnsupported},
		{file: `C:\files\report.pdf`, head: pdf, want: extract.PDF},
	}
	for _, c := range cases {
		got, err := extract.KindOf(c.file, c.media, []byte(c.head))
		if c.code == "" {
			if err != nil || got != c.want {
				t.Errorf("%q (%s) %.20q = %q, %v; want %q", c.file, c.media, c.head, got, err, c.want)
			}
			continue
		}
		var p *extract.Problem
		if !errors.As(err, &p) || p.Code != c.code || !strings.HasSuffix(p.Message, ".") || strings.Contains(p.Message, "%!") {
			t.Errorf("%q (%s) %.20q = %q, %v; want a Problem %q", c.file, c.media, c.head, got, err, c.code)
		}
	}
}
