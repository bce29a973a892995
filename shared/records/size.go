package records

// numberBytes is what a number counts, whatever its value: the most that an
// int64 takes in DynamoDB (one byte for two digits, one for the exponent, one
// for the sign). So the size of an item does not change with its version, which
// only the store knows.
const numberBytes = 12

// Names of the attributes, as the dynamo adapter writes them. Their lengths
// count, so they stand here.
const (
	AttrPK        = "pk"
	AttrSK        = "sk"
	AttrVersion   = "v"
	AttrG1PK      = "g1pk"
	AttrG1SK      = "g1sk"
	AttrG2PK      = "g2pk"
	AttrG2SK      = "g2sk"
	AttrFields    = "f"          // a map of strings
	AttrN         = "n"          // absent when 0
	AttrExpires   = "expires_at" // seconds, rounded up: the attribute of the table's TTL
	AttrExpiresMs = "expires_ms" // milliseconds: what reads and conditions compare
	AttrBody      = "body"       // JSON text
)

// Size is the size of an item in bytes, at least what DynamoDB counts for it:
// the UTF-8 lengths of attribute names and values. Both adapters refuse what is
// above MaxItemBytes by this figure.
func Size(it Item) int {
	n := len(AttrPK) + len(it.PK) + len(AttrSK) + len(it.SK)
	n += len(AttrVersion) + numberBytes + len(AttrN) + numberBytes
	for _, k := range [...]struct{ name, value string }{
		{AttrG1PK, it.G1PK}, {AttrG1SK, it.G1SK}, {AttrG2PK, it.G2PK}, {AttrG2SK, it.G2SK},
	} {
		if k.value != "" {
			n += len(k.name) + len(k.value)
		}
	}
	if len(it.Fields) > 0 {
		n += len(AttrFields) + 3 // a map has three bytes of its own, an entry one
		for name, value := range it.Fields {
			n += 1 + len(name) + len(value)
		}
	}
	if !it.ExpiresAt.IsZero() {
		n += len(AttrExpires) + len(AttrExpiresMs) + 2*numberBytes
	}
	if len(it.Body) > 0 {
		n += len(AttrBody) + len(it.Body)
	}
	return n
}
