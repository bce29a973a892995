package cell

import (
	"math"
	"testing"
)

func TestNumber(t *testing.T) {
	for f, want := range map[float64]string{
		0: "0", 1: "1", -5: "-5", 0.1 + 0.2: "0.3", 3292879998: "3292879998", 1.714025972: "1.714025972",
		123456789012345680: "123456789012346000", 1e-12: "1e-12", 0.000001: "0.000001", 1e300: "1e+300", 2.5: "2.5",
	} {
		if got := Number(f); got != want {
			t.Errorf("Number(%v) = %s, want %s", f, got, want)
		}
	}
	for _, f := range []float64{math.NaN(), math.Inf(1)} {
		if got := Number(f); got != "" {
			t.Errorf("Number(%v) = %s", f, got)
		}
	}
}

// The serial numbers of known days, in both epochs.
func TestMoment(t *testing.T) {
	for _, c := range []struct {
		serial float64
		shape  Shape
		late   bool
		want   string
	}{
		{1, Date, false, "1900-01-01"}, {59, Date, false, "1900-02-28"}, {60, Date, false, "1900-02-29"}, {61, Date, false, "1900-03-01"},
		{25569, Date, false, "1970-01-01"}, {45658, Date, false, "2025-01-01"}, {45658.5, DateTime, false, "2025-01-01 12:00:00"},
		{45658.999999, DateTime, false, "2025-01-02"}, {45658.75, Date, false, "2025-01-01 18:00:00"},
		{0, Date, true, "1904-01-01"}, {44196, Date, true, "2025-01-01"}, {0.25, Time, false, "06:00:00"}, {0.25, Date, false, "06:00:00"},
		{1.5, Time, false, "36:00:00"}, {-1, Date, false, "-1"}, {9e9, Date, false, "9000000000"}, {7.5, Plain, false, "7.5"},
	} {
		if got := Moment(c.serial, c.shape, c.late); got != c.want {
			t.Errorf("Moment(%v, %v, %v) = %s, want %s", c.serial, c.shape, c.late, got, c.want)
		}
	}
}

func TestFormat(t *testing.T) {
	for code, want := range map[string]Shape{
		"General": Plain, "0.00": Plain, "#,##0": Plain, "0%": Plain, "0.00E+00": Plain, "@": Plain, `"Gr. "0`: Plain, "[Red]0": Plain,
		"[$-409]#,##0.00": Plain, `#,##0\ "days"`: Plain, `_-* #,##0.00\ _€_-`: Plain, "": Plain,
		"m/d/yyyy": Date, "dd.mm.yyyy": Date, "yyyy-mm-dd;@": Date, "[$-F800]dddd, mmmm dd, yyyy": Date, "mmm-yy": Date, `yyyy"年"m"月"d"日"`: Date, "mmmm": Date,
		"m/d/yy h:mm": DateTime, "yyyy-mm-dd hh:mm:ss": DateTime, "h:mm AM/PM": Time, "[h]:mm:ss": Time, "mm:ss.0": Time, "[$-409]h:mm": Time,
	} {
		if got := Format(code); got != want {
			t.Errorf("Format(%q) = %v, want %v", code, got, want)
		}
	}
}
