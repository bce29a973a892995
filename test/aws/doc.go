// Package aws proves the deployed template. Its tests need the tag aws and the
// double that ./run starts.
package aws
