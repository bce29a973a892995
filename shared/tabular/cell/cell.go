// Package cell says what the numbers in the cells of a workbook mean to a person:
// Excel stores dates as days since an epoch, and only the number format of a cell
// tells that it is one.
package cell

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// Shape is what a number format makes of a number.
type Shape int8

// The shapes of a number.
const (
	Plain Shape = iota
	Date
	Time // of a day, or an elapsed time
	DateTime
)

// Number writes a number as a spreadsheet shows it in a cell that is wide enough:
// with at most 15 significant digits, which is what a spreadsheet keeps of what
// was typed, so 0.1+0.2 is 0.3; without an exponent where people write none.
func Number(f float64) string {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return ""
	}
	if f == math.Trunc(f) && math.Abs(f) < 1e15 {
		return strconv.FormatInt(int64(f), 10)
	}
	digits := strconv.FormatFloat(f, 'g', 15, 64)
	rounded, err := strconv.ParseFloat(digits, 64)
	if err != nil {
		return digits
	}
	if a := math.Abs(rounded); a >= 1e21 || a < 1e-9 {
		return strconv.FormatFloat(rounded, 'g', -1, 64)
	}
	return strconv.FormatFloat(rounded, 'f', -1, 64)
}

// maxSerial is the last day that a spreadsheet knows: 31 December 9999.
const maxSerial = 2958466

// Moment writes a number of days as ISO 8601: 2006-01-02, with 15:04:05 where the
// shape or the number has a time. In the epoch of 1900 day 60 is a 29 February
// that there never was, and stays so here. What is no day of the calendar is
// written as the number that it is.
func Moment(serial float64, shape Shape, from1904 bool) string {
	if shape == Plain || math.IsNaN(serial) || serial < 0 || serial >= maxSerial {
		return Number(serial)
	}
	day := math.Floor(serial)
	// To the second: what is finer is the noise of the fraction.
	seconds := int(math.Round((serial - day) * 86_400))
	if seconds == 86_400 {
		day, seconds = day+1, 0
	}
	clock := time.Unix(int64(seconds), 0).UTC().Format("15:04:05")
	if shape == Time || !from1904 && day < 1 {
		if day < 1 {
			return clock
		}
		if shape == Time { // elapsed
			return strconv.Itoa(int(day)*24+seconds/3600) + clock[2:]
		}
	}
	var date string
	switch {
	case from1904:
		date = time.Date(1904, 1, 1+int(day), 0, 0, 0, 0, time.UTC).Format(time.DateOnly)
	case day == 60:
		date = "1900-02-29"
	case day < 60:
		date = time.Date(1899, 12, 31+int(day), 0, 0, 0, 0, time.UTC).Format(time.DateOnly)
	default:
		date = time.Date(1899, 12, 30+int(day), 0, 0, 0, 0, time.UTC).Format(time.DateOnly)
	}
	if seconds > 0 {
		return date + " " + clock
	}
	return date
}

// Builtin is the shape of a number format that every program knows by its number
// (ECMA-376 part 1, 18.8.30, the languages' own variants included).
func Builtin(id int) Shape {
	switch {
	case id >= 14 && id <= 17, id >= 27 && id <= 31, id == 36, id >= 50 && id <= 54, id >= 57 && id <= 58:
		return Date
	case id >= 18 && id <= 21, id >= 32 && id <= 35, id >= 45 && id <= 47, id >= 55 && id <= 56:
		return Time
	case id == 22:
		return DateTime
	}
	return Plain
}

// Format is the shape of a number format by its code, such as d/m/yyyy h:mm. Its
// first section decides; texts in quotes, colours and conditions say nothing.
func Format(code string) Shape {
	var days, times, minutes, digits bool
	rest := code
	for rest != "" {
		c := rest[0]
		rest = rest[1:]
		switch c {
		case ';':
			rest = ""
		case '"':
			_, rest, _ = strings.Cut(rest, `"`)
		case '\\', '_', '*':
			if rest != "" {
				rest = rest[1:]
			}
		case '[':
			var in string
			in, rest, _ = strings.Cut(rest, "]")
			switch strings.Trim(strings.ToLower(in), "hms") {
			case "": // [h], [mm], [ss]: an elapsed time
				times = times || in != ""
			}
		case 'y', 'Y', 'd', 'D', 'e':
			days = true
		case 'h', 'H', 's', 'S':
			times = true
		case 'm', 'M':
			minutes = true // or months
		case '0', '#', '?':
			digits = true
		case 'G', 'g':
			if len(rest) >= 6 && strings.EqualFold(rest[:6], "eneral") {
				rest = rest[6:]
			}
		case 'E':
			if digits { // an exponent
				rest = strings.TrimLeft(rest, "+-0#")
				continue
			}
			days = true
		}
	}
	switch {
	case days && times:
		return DateTime
	case days:
		return Date
	case times:
		return Time
	case minutes && !digits:
		return Date
	}
	return Plain
}
