package secrets

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

var one, two = bytes.Repeat([]byte{1}, 32), bytes.Repeat([]byte{2}, 32)

func ring(t testing.TB, current []byte, older ...[]byte) *Ring {
	t.Helper()
	r, err := NewRing(current, older...)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// What is derived may never change between versions of the program: every
// cursor, link and stored secret hangs on it.
func TestDerivedKeysStandStill(t *testing.T) {
	got := hex.EncodeToString(ring(t, one).Derive("records cursor v1", 32))
	if want := pinned; got != want {
		t.Fatalf("derived %s, want %s", got, want)
	}
}

func TestDeriveRefusesMistakes(t *testing.T) {
	r := ring(t, one)
	for _, f := range []func(){
		func() { r.Derive("", 32) }, func() { r.Derive("x", 0) }, func() { r.Derive("x", 255*32+1) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			f()
		}()
	}
	if n := len(r.Derive("x", 100)); n != 100 {
		t.Errorf("%d bytes", n)
	}
}

func TestSealThenOpenIsTheIdentity(t *testing.T) {
	r := ring(t, one)
	rapid.Check(t, func(rt *rapid.T) {
		label := rapid.String().Draw(rt, "label")
		plain, aad := rapid.SliceOf(rapid.Byte()).Draw(rt, "plain"), rapid.SliceOf(rapid.Byte()).Draw(rt, "aad")
		sealed, err := r.Seal(label, plain, aad)
		if err != nil {
			rt.Fatal(err)
		}
		got, err := r.Open(label, sealed, aad)
		if err != nil || !bytes.Equal(got, plain) {
			rt.Fatalf("%x: %v", got, err)
		}
		// Any one changed bit, another label or other data, and it stays shut.
		bent := bytes.Clone(sealed)
		bent[rapid.IntRange(0, len(bent)-1).Draw(rt, "at")] ^= 1 << rapid.IntRange(0, 7).Draw(rt, "bit")
		for _, f := range []func() ([]byte, error){
			func() ([]byte, error) { return r.Open(label, bent, aad) },
			func() ([]byte, error) { return r.Open(label+"x", sealed, aad) },
			func() ([]byte, error) { return r.Open(label, sealed, append(bytes.Clone(aad), 0)) },
		} {
			if _, err := f(); !errors.Is(err, ErrSealed) {
				rt.Fatalf("opened: %v", err)
			}
		}
	})
}

func TestSealsOfOneTextDiffer(t *testing.T) {
	r := ring(t, one)
	a, _ := r.Seal("x", []byte("same"), nil)
	b, _ := r.Seal("x", []byte("same"), nil)
	if bytes.Equal(a, b) {
		t.Fatal("two seals are alike")
	}
}

func TestRotation(t *testing.T) {
	before := ring(t, one)
	old, err := before.Seal("x", []byte("kept"), nil)
	if err != nil {
		t.Fatal(err)
	}
	after := ring(t, two, one)
	if got, err := after.Open("x", old, nil); err != nil || string(got) != "kept" {
		t.Fatalf("after rotation: %q, %v", got, err)
	}
	anew, err := after.Seal("x", []byte("kept"), nil)
	if err != nil {
		t.Fatal(err)
	}
	if !after.Stale(old) || after.Stale(anew) || !after.Stale(nil) {
		t.Error("Stale does not tell old from new")
	}
	if bytes.Equal(before.Derive("x", 32), after.Derive("x", 32)) {
		t.Error("rotation kept a key")
	}
	done := ring(t, two)
	if _, err := done.Open("x", old, nil); !errors.Is(err, ErrSealed) {
		t.Errorf("old seal under the new master alone: %v", err)
	}
	if _, err := done.Open("x", anew, nil); err != nil {
		t.Errorf("new seal: %v", err)
	}
}

func TestParse(t *testing.T) {
	want := ring(t, one).Derive("x", 32)
	for name, s := range map[string]string{
		"hex": hex.EncodeToString(one), "HEX": strings.ToUpper(hex.EncodeToString(one)),
		"base64": base64.StdEncoding.EncodeToString(one), "unpadded": base64.RawStdEncoding.EncodeToString(one),
		"url": base64.URLEncoding.EncodeToString(one), "with a line end": base64.StdEncoding.EncodeToString(one) + "\r\n",
		"two": hex.EncodeToString(one) + "," + hex.EncodeToString(two),
	} {
		r, err := Parse(s)
		if err != nil || !bytes.Equal(r.Derive("x", 32), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, s := range map[string]string{
		"empty": "", "blank": " \n", "short": hex.EncodeToString(one[:31]), "long": hex.EncodeToString(append(one, 1)),
		"odd": hex.EncodeToString(one)[1:], "text": "correct horse battery staple correct horse",
		"one good, one bad": hex.EncodeToString(one) + " canary-value",
	} {
		_, err := Parse(s)
		if !errors.Is(err, ErrMalformed) {
			t.Errorf("%s: %v, want ErrMalformed", name, err)
			continue
		}
		if strings.Contains(err.Error(), "canary") || len(s) > 8 && strings.Contains(err.Error(), s[:8]) {
			t.Errorf("%s: the error quotes the key: %v", name, err)
		}
	}
	if _, err := ParseGenerated("abcdefghijklmnopqrstuvwxyzABCDEF"); err != nil {
		t.Errorf("a password of 32: %v", err)
	}
	if _, err := ParseGenerated("abcdefghijklmnopqrstuvwxyzABCDE"); !errors.Is(err, ErrMalformed) {
		t.Errorf("a password of 31: %v", err)
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"", hex.EncodeToString(one), base64.StdEncoding.EncodeToString(two), ",,", "é"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if r, err := Parse(s); (r == nil) == (err == nil) {
			t.Fatalf("%v, %v", r, err)
		}
	})
}

func FuzzOpen(f *testing.F) {
	r := ring(f, one)
	// Sealed by an earlier version: it must open for ever.
	good, err := hex.DecodeString("01f5bb219b845deb6d9dbd9ddbde82074dbeee4d232a816a3db1bb637acd179ec775d949ee")
	if err != nil {
		f.Fatal(err)
	}
	if plain, err := r.Open("x", good, nil); err != nil || string(plain) != "text" {
		f.Fatalf("%q, %v", plain, err)
	}
	f.Add(good)
	f.Add([]byte{version})
	f.Add(good[:headSize])
	f.Fuzz(func(t *testing.T, b []byte) {
		if _, err := r.Open("x", b, nil); err == nil && !bytes.Equal(b, good) {
			t.Fatalf("opened %x", b)
		}
	})
}

const pinned = "00976eb04e9d2380ef32f361b284e768f4e2e1697b3e621f8b5ac982f1bc3c55"
