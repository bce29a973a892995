package extract

import (
	"bytes"
	"image"
	_ "image/gif"  // the formats whose size is told
	_ "image/jpeg" //
	_ "image/png"  //
	"io"

	_ "golang.org/x/image/webp" //
)

// imageHead is how far into a picture its size stands: after the metadata that
// cameras put first.
const imageHead = 4 << 20

// readImage tells a picture's size. Its pixels are not decoded.
func readImage(in io.Reader, o Options) (Info, error) {
	head, err := io.ReadAll(io.LimitReader(in, imageHead))
	if err != nil {
		return Info{}, err
	}
	c, _, err := image.DecodeConfig(bytes.NewReader(head))
	if err != nil || c.Width <= 0 || c.Height <= 0 {
		return Info{}, problem(CodeDamaged, o.Filename, "is not a whole PNG, JPEG, GIF or WebP picture. Save it anew and send it again.")
	}
	return Info{Width: c.Width, Height: c.Height}, nil
}
