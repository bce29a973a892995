package allocate

// Allocate makes a cohort.
func Allocate(in Input) (Result, error) { return Result{}, nil }

// Again fits a standing cohort to new quotas with the fewest changed members
// (M-144). now has one row a standing member and one column an axis of in.Axes:
// the label it stands for, empty when it stands for none.
func Again(in Input, now [][]string) (Result, []Move, error) { return Result{}, nil, nil }

// Profiles gives the contract's profiles of the allocated members.
func Profiles(r Result) []Profile { return nil }

// Size gives the automatic size of a cohort and the preview's suggested minimum.
func Size(axes []Axis, mode string, limit int) (n, suggestedMin int) { return 0, 0 }
