package hashed

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/mindgate-dev/mindgate/shared/embed"
)

func vectors(t testing.TB, texts ...string) [][]float32 {
	t.Helper()
	vs, err := New().Embed(t.Context(), texts)
	if err != nil {
		t.Fatal(err)
	}
	return vs
}

// The same text gives the same bits on every machine; whoever changes them must
// change the revision too, or old and new vectors would be compared.
func TestVectorsAreTheSameEverywhere(t *testing.T) {
	sum := sha256.New()
	for _, v := range vectors(t, "Prices of milk rose by 3.5 % in May.", "Die Straßenbahn fährt über die Brücke", "東京の天気", "цены на молоко", "") {
		if err := binary.Write(sum, binary.LittleEndian, v); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := hex.EncodeToString(sum.Sum(nil)), golden; got != want {
		t.Errorf("revision %s: %s, not %s", New().Space().Revision, got, want)
	}
}

const golden = "c48e7a2b3294d739047d7f43e887a7f142c5878c834444a37658d39481a7b89b"

func TestSpellingBringsTextsTogether(t *testing.T) {
	for _, c := range []struct{ text, near, far string }{
		{"price of electric cars", "electric car prices", "opening hours of the museum"},
		{"electrical apliances", "electric appliance", "return to the station"},
		{"Lebensversicherung", "Versicherungen fürs Leben", "Hundefutter"},
		{"цены на молоко", "молоко и цена", "погода в городе"},
		{"東京の天気", "天気は東京で良い", "自動車の価格"},
	} {
		v := vectors(t, c.text, c.near, c.far)
		if near, far := embed.Dot(v[0], v[1]), embed.Dot(v[0], v[2]); near < far+0.2 {
			t.Errorf("%q: %.2f to %q, %.2f to %q", c.text, near, c.near, far, c.far)
		}
	}
}

func TestVectorsHaveLengthOne(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		text := rapid.String().Draw(rt, "text")
		v := vectors(t, text)[0]
		if len(v) != Dim {
			rt.Fatalf("%d dimensions", len(v))
		}
		if l := math.Sqrt(embed.Dot(v, v)); l != 0 && math.Abs(l-1) > 1e-5 {
			rt.Fatalf("%q: length %v", text, l)
		}
	})
	if v := vectors(t, " \n…")[0]; embed.Dot(v, v) != 0 {
		t.Error("a text without words has a vector")
	}
}

// Texts of a hundred words, seventy of them different, as in prose.
func BenchmarkEmbed(b *testing.B) {
	random := rand.New(rand.NewPCG(1, 1))
	zipf := rand.NewZipf(random, 1.2, 8, 20000)
	texts := make([]string, 100)
	for i := range texts {
		var words strings.Builder
		for range 100 {
			fmt.Fprintf(&words, "%s ", base64.StdEncoding.EncodeToString(fmt.Append(nil, zipf.Uint64())))
		}
		texts[i] = words.String()
	}
	for b.Loop() {
		vectors(b, texts...)
	}
	b.ReportMetric(float64(b.N*len(texts))/b.Elapsed().Seconds(), "texts/s")
}
