package method

import (
	"github.com/mindgate-dev/mindgate/shared/stats/drivers"
)

// DriversResult is MethodResult.key-drivers.
type DriversResult struct {
	R2       *float64      `json:"r2"`
	Drivers  []DriverShare `json:"drivers"`
	SumCheck *float64      `json:"sumCheck"` // sum of the chosen weights minus R²
}

// DriverShare is what one driver does; figures are null for one that was left out.
type DriverShare struct {
	ID             string      `json:"id"`
	Correlation    *float64    `json:"correlation"`
	Beta           *float64    `json:"beta"`
	T              *float64    `json:"t"`
	VIF            *float64    `json:"vif"`
	RelativeWeight *float64    `json:"relativeWeight"`
	Shapley        *float64    `json:"shapley"`
	Sign           int         `json:"sign"`
	Rank           *int        `json:"rank"`
	CI95           *[2]float64 `json:"ci95"` // of the chosen weight
}

func (c *computing) drivers() (any, error) {
	cfg, err := decode[driversConfig](c.configuration)
	if err != nil {
		return nil, err
	}
	members := c.complete(1 + len(cfg.Drivers))
	y, x := make([]float64, len(members)), make([][]float64, len(cfg.Drivers))
	var w []float64
	for i, m := range members {
		y[i] = c.value(0, m).Number
		if c.weighted {
			w = append(w, c.weight(m))
		}
		for j := range x {
			x[j] = append(x[j], c.value(1+j, m).Number)
		}
	}
	for j := range x {
		if x[j] == nil {
			x[j] = []float64{}
		}
	}
	o := drivers.Options{Names: labels(cfg.Drivers), Seed: c.seed("bootstrap"), Resamples: resamples, ByShapley: cfg.Estimator == "shapley"}
	a, err := drivers.Analyse(y, x, w, o)
	if err != nil {
		return nil, err
	}
	c.warn(a.Warnings...)
	out := DriversResult{R2: &a.R2, SumCheck: &a.SumCheck}
	for j, d := range a.Drivers {
		out.Drivers = append(out.Drivers, DriverShare{cfg.Drivers[j].ID, d.Correlation, d.Beta, d.T, d.VIF, d.RelativeWeight, d.Shapley, d.Sign, d.Rank, d.CI95})
	}
	return out, nil
}
