package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"time"
)

// datasetColumns is how many columns the reviewed files have.
const datasetColumns = 200

// datasets reviews CSV files of respondents, the last as large as any may be, on
// gateways of their own so that memory is told apart.
func datasets(program string) error {
	for _, size := range []int{12 << 20, 25 << 20, 50 << 20} {
		if err := alone(program, func(s *server) error { return s.review(size) }); err != nil {
			return err
		}
	}
	return nil
}

func (s *server) review(size int) error {
	content, respondents := survey(size)
	var up struct {
		Data struct{ Path, UploadURL string }
	}
	if err := s.rest(http.MethodPost, "/api/v1/uploads", map[string]any{"name": "wave.csv", "folder": "temp", "sizeBytes": len(content)}, &up); err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(context.Background(), http.MethodPut, up.Data.UploadURL, bytes.NewReader(content))
	if err != nil {
		return err
	}
	resp, err := client.Do(req)
	if err != nil {
		return err
	}
	_, _ = io.Copy(io.Discard, resp.Body)
	resp.Body.Close()
	if resp.StatusCode/100 != 2 {
		return fmt.Errorf("upload: %s", resp.Status)
	}
	stop := s.watch()
	began := time.Now()
	var out struct {
		Data struct {
			RespondentCount     int
			SegmentationColumns []string
			Variables           []any
		}
	}
	err = s.rest(http.MethodPost, "/api/v1/audiences/from-brief/segmentation-preview",
		map[string]any{"file": map[string]any{"name": "wave.csv", "url": up.Data.Path}}, &out)
	took, most := time.Since(began), stop()
	if err != nil {
		return err
	}
	if out.Data.RespondentCount != respondents || len(out.Data.SegmentationColumns) != 5 || len(out.Data.Variables) != datasetColumns {
		return fmt.Errorf("a data set of %d respondents was reviewed as one of %d, with %d variables", respondents, out.Data.RespondentCount, len(out.Data.Variables))
	}
	fmt.Printf("a CSV of %d MiB, %d columns, %d respondents: reviewed after %s, at most %s\n",
		(len(content)+1<<19)>>20, datasetColumns, respondents, took.Round(time.Millisecond), most)
	return nil
}

// survey makes a CSV of nearly so many bytes; the same every time.
func survey(size int) (content []byte, respondents int) {
	r := rand.New(rand.NewPCG(1, 2))
	shape := []struct {
		name    string
		answers []string
	}{
		{"Gender", []string{"Male", "Female"}}, {"Age", []string{"18-29", "30-44", "45-60", "> 60"}}, {"Region", []string{"North", "South", "East", "West"}},
		{"Household Income", []string{`"$0 - $24,999"`, `"$25,000 - $49,999"`, `"$50,000+"`}}, {"Education", []string{"High school", "College", "Graduate"}},
	}
	scales := [][]string{
		{"Yes", "No", "Not sure"}, {"Often", "Sometimes", "Rarely", "Never"}, {"1", "2", "3", "4", "5", "6", "7"},
		{"Very important", "Somewhat important", "Not too important", "Not at all important"},
		{"Strongly agree", "Agree", "Neither", "Disagree", "Strongly disagree"},
	}
	var b bytes.Buffer
	b.Grow(size)
	b.WriteString("RespondentID,weight")
	for _, s := range shape {
		b.WriteString("," + s.name)
	}
	for i := range datasetColumns - 2 - len(shape) {
		fmt.Fprintf(&b, ",q%04d", i)
	}
	b.WriteByte('\n')
	for ; b.Len() < size-4096; respondents++ {
		fmt.Fprintf(&b, "%d,%.6f", 3_000_000_000+respondents, 0.3+2.7*r.Float64())
		for _, s := range shape {
			b.WriteString("," + s.answers[r.IntN(len(s.answers))])
		}
		for i := range datasetColumns - 2 - len(shape) {
			b.WriteByte(',')
			if scale := scales[i%len(scales)]; r.IntN(20) > 0 {
				b.WriteString(scale[r.IntN(len(scale))])
			}
		}
		b.WriteByte('\n')
	}
	return b.Bytes(), respondents
}
