#!/usr/bin/env bash
# Makes pdfium.wasm.gz anew: the WebAssembly build of PDFium that the Go module
# below carries, without the functions that reading text does not reach. Needs
# Go, Node and gzip. Nothing in the module is changed, only left out, so the
# result differs from the original in what it lacks.
set -euo pipefail
cd "$(dirname "$0")"

module=github.com/klippa-app/go-pdfium@v1.21.4
source_sha256=e6f77e01dce34de05ad62515114152da580b64c23871e3e3e2afef3f7bb88ade
binaryen=132.0.0

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
dir=$(go mod download -json "$module" | sed -n 's/^[[:space:]]*"Dir": "\(.*\)".*/\1/p')
cp "$dir/internal/pdfium_wasm/pdfium.wasm" "$work/full.wasm"
echo "$source_sha256  $work/full.wasm" | sha256sum --check --quiet
npm install --silent --no-save --ignore-scripts --prefix "$work" "binaryen@$binaryen"

# The functions that pdfium.go calls: a root reaches each of them.
{
	grep -v '^#' exports.txt | sed 's/.*/{"name":"&","export":"&"}/'
	grep -v '^#' exports.txt | sed 's/.*/"&"/' | paste -sd, | sed 's/.*/{"name":"outside","root":true,"reaches":[&]}/'
} | paste -sd, | sed 's/.*/[&]/' > "$work/graph.json"

node "$work/node_modules/binaryen/bin/wasm-metadce" \
	--enable-exception-handling --enable-bulk-memory --enable-bulk-memory-opt --enable-mutable-globals \
	--enable-sign-ext --enable-nontrapping-float-to-int --enable-reference-types --enable-multivalue --enable-simd \
	"$work/full.wasm" --graph-file "$work/graph.json" -o "$work/slim.wasm" > /dev/null
gzip -9 -n -c "$work/slim.wasm" > pdfium.wasm.gz
sha256sum pdfium.wasm.gz
