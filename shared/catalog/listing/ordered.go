package listing

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// object is a JSON object that keeps the order of its members: a schema reads
// best in the order in which its author wrote it.
type object struct{ members []member }

type member struct {
	name  string
	value any
}

func (o *object) get(name string) (any, bool) {
	for _, m := range o.members {
		if m.name == name {
			return m.value, true
		}
	}
	return nil, false
}

func (o *object) object(name string) *object {
	v, _ := o.get(name)
	child, _ := v.(*object)
	return child
}

func (o *object) text(name string) string {
	v, _ := o.get(name)
	s, _ := v.(string)
	return s
}

func (o *object) set(name string, value any) {
	for i := range o.members {
		if o.members[i].name == name {
			o.members[i].value = value
			return
		}
	}
	o.members = append(o.members, member{name, value})
}

func (o *object) drop(name string) {
	for i := range o.members {
		if o.members[i].name == name {
			o.members = append(o.members[:i], o.members[i+1:]...)
			return
		}
	}
}

// MarshalJSON writes the members in their order.
func (o *object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, m := range o.members {
		if i > 0 {
			b.WriteByte(',')
		}
		name, err := encode(m.name)
		if err != nil {
			return nil, err
		}
		value, err := encode(m.value)
		if err != nil {
			return nil, err
		}
		b.Write(name)
		b.WriteByte(':')
		b.Write(value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// encode leaves <, > and & readable; the text goes to models, not to pages.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimRight(b.Bytes(), "\n"), nil
}

func parse(raw []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	return next(d)
}

func next(d *json.Decoder) (any, error) {
	t, err := d.Token()
	if err != nil {
		return nil, err
	}
	delim, ok := t.(json.Delim)
	if !ok {
		return t, nil
	}
	switch delim {
	case '{':
		o := &object{}
		for d.More() {
			k, err := d.Token()
			if err != nil {
				return nil, err
			}
			v, err := next(d)
			if err != nil {
				return nil, err
			}
			o.members = append(o.members, member{k.(string), v})
		}
		_, err = d.Token()
		return o, err
	case '[':
		list := []any{}
		for d.More() {
			v, err := next(d)
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
		_, err = d.Token()
		return list, err
	}
	return nil, fmt.Errorf("listing: unexpected %v", delim)
}
