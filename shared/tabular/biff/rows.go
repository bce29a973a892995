package biff

import "slices"

// rowBuffer makes rows of cells.
type rowBuffer struct {
	each  func([]string) error
	row   uint16
	cells []string
	any   bool
	all   map[uint16][]placed // when the rows come in any order
	held  int
}

type placed struct {
	col  uint16
	text string
}

// maxHeld bounds what is held of a sheet whose rows are out of order, in bytes.
const maxHeld = 128 << 20

func (b *rowBuffer) put(row, col uint16, text string) error {
	if text == "" {
		return nil
	}
	if b.all != nil {
		if b.held += len(text) + 32; b.held > maxHeld {
			return ErrTooLarge
		}
		b.all[row] = append(b.all[row], placed{col, text})
		return nil
	}
	if b.any && row != b.row {
		if err := b.flush(); err != nil {
			return err
		}
	}
	b.row = row
	b.set(col, text)
	return nil
}

func (b *rowBuffer) set(col uint16, text string) {
	for len(b.cells) <= int(col) {
		b.cells = append(b.cells, "")
	}
	b.cells[col] = text
	b.any = true
}

func (b *rowBuffer) flush() error {
	err := b.each(b.cells)
	clear(b.cells)
	b.cells, b.any = b.cells[:0], false
	return err
}

func (b *rowBuffer) end() error {
	rows := make([]uint16, 0, len(b.all))
	for row := range b.all {
		rows = append(rows, row)
	}
	slices.Sort(rows)
	for _, row := range rows {
		for _, c := range b.all[row] {
			b.set(c.col, c.text)
		}
		if err := b.flush(); err != nil {
			return err
		}
	}
	if b.any {
		return b.flush()
	}
	return nil
}
