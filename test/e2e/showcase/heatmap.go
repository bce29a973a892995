package showcase

import (
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"strings"
	"testing"

	"github.com/mindgate-dev/mindgate/test/e2e/gateway"
)

// Heatmap shows a picture to a Mind and asks where on it attention goes: started, read
// until it is there, and given again for nothing (M-230, M-231).
func Heatmap(t testing.TB, s *gateway.Server, mind string) {
	t.Helper()
	m := image.NewNRGBA(image.Rect(0, 0, 96, 64))
	draw.Draw(m, m.Bounds(), image.NewUniform(color.NRGBA{20, 40, 60, 255}), image.Point{}, draw.Src)
	draw.Draw(m, image.Rect(18, 10, 32, 24), image.NewUniform(color.NRGBA{250, 240, 90, 255}), image.Point{}, draw.Src)
	var raw strings.Builder
	if err := png.Encode(&raw, m); err != nil {
		t.Fatal(err)
	}
	up := s.Must(t, 201, "POST", "/api/v1/uploads", map[string]any{"name": "ad.png", "folder": "chat", "type": "image/png", "sizeBytes": raw.Len()})
	if status := gateway.Put(t, up.Text("data", "uploadUrl"), []byte(raw.String())); status/100 != 2 {
		t.Fatalf("the picture was not taken: %d", status)
	}
	picture := up.Text("data", "path")
	audience := s.Must(t, 201, "POST", "/api/v1/audiences", map[string]any{"name": "Viewers", "mindIds": []string{mind}}).Text("data", "id")
	at := "/api/v1/studies/" + s.Must(t, 201, "POST", "/api/v1/studies", map[string]any{"name": "Advert", "audienceIds": []string{audience}}).Text("data", "id")
	s.Must(t, 202, "POST", at+"/runs", map[string]any{"question": "Do you like it? (Yes / No)", "attachments": []map[string]any{{"path": picture}}})
	message := ""
	gateway.Eventually(t, Patience, "the question", func() bool {
		list, _ := s.Must(t, 200, "GET", at, nil).At("data", "messages").([]any)
		if len(list) > 0 {
			first, _ := list[0].(map[string]any)
			message = gateway.Answer{JSON: first}.Text("id")
		}
		return message != ""
	})
	at += "/heatmaps/" + message
	none := s.Must(t, 200, "GET", at, nil)
	gateway.Shape(t, "getStudyHeatmap", none)
	if none.Text("data", "status") != "none" {
		t.Errorf("%s", none.Body)
	}
	first, err := s.Call(t.Context(), "POST", at, map[string]any{"assetKey": picture})
	if err != nil || first.Status != 202 && first.Status != 200 || first.At("data", "responsesUsed") != 1.0 { // a small one may be there at once
		t.Fatalf("%d %s %v", first.Status, first.Body, err)
	}
	var got gateway.Answer
	gateway.Eventually(t, Patience, "the heatmap", func() bool {
		got = s.Must(t, 200, "GET", at, nil)
		return got.Text("data", "status") == "completed" || got.Text("data", "status") == "failed"
	})
	gateway.Shape(t, "getStudyHeatmap", got)
	if areas, _ := got.At("data", "heatmap", "areas").([]any); len(areas) == 0 || got.Text("data", "heatmap", "basis") != "picture" || got.At("data", "heatmap", "simulated") != true {
		t.Errorf("%s", got.Body)
	}
	again := s.Must(t, 200, "POST", at, map[string]any{"assetKey": picture})
	gateway.Shape(t, "startStudyHeatmap", again)
	if again.At("data", "responsesUsed") != 0.0 {
		t.Errorf("charged twice: %s", again.Body)
	}
	s.Must(t, 400, "POST", at, map[string]any{"assetKey": "chat/other.png"})
	s.Must(t, 404, "GET", at+"?assetKey=chat/other.png", nil)
}
