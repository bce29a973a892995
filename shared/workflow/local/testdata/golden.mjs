// Makes golden.json with the reference engine, jsonata.js 2.0.6 on Node:
//   npm install jsonata@2.0.6 (in a folder of its own), then
//   node golden.mjs <that folder>/node_modules/jsonata > golden.json
import { createRequire } from "node:module";
import { createHash } from "node:crypto";
import { pathToFileURL } from "node:url";
import path from "node:path";
const jsonata = createRequire(pathToFileURL(path.resolve("x.mjs")))(path.resolve(process.argv[2]));

const data = {
  shop: {
    id: "job-1", name: "Ann", n: 3, zero: 0, neg: -2, half: 2.5, big: 9007199254740991, on: true, off: false,
    empty: [], one: [7], nums: [3, 1, 2], words: ["b", "a", "c"], text: "Hello, World", blank: "", deep: { a: { b: { c: 1 } } },
    items: [
      { id: "i1", kind: "x", n: 5, tags: ["p", "q"], ok: true },
      { id: "i2", kind: "y", n: 1, tags: [], ok: false },
      { id: "i3", kind: "x", n: 3, tags: ["q"], ok: true },
    ],
    single: [{ id: "s1", n: 9 }],
    nested: [[1, 2], [3]], objects: { k1: 1, k2: 2 }, "odd name": 4, unicode: "a😀é", mixed: [1, "a", true],
    json: "{\"errorMessage\":\"boom\",\"errorType\":\"Transient\"}",
  },
  bare: {},
};
const I = "$states.input";
const rows = [];
const add = (group, ...exprs) => exprs.forEach((e) => rows.push([group, "shop", e.replaceAll("@i", I)]));
const bare = (group, ...exprs) => exprs.forEach((e) => rows.push([group, "bare", e.replaceAll("@i", I)]));

add("path", "@i.id", "@i.deep.a.b.c", "@i.deep.a", "@i.items.id", "@i.items.tags", "@i.items[0].id", "@i.items[-1].id",
  "@i.items[5].id", "@i.single.id", "@i.single[0].id", "[@i.single.id]", "@i.one", "@i.one[0]", "@i.empty", "@i.empty[0]", "@i.nums[1]",
  "@i.nested", "@i.nested[0]", "@i.nested[0][1]", "@i.`odd name`", "@i.items[0].tags[1]", "@i.items.tags[0]", "(@i.items.tags)[0]",
  "@i.words[[0..1]]", "@i.name[0]", "@i.name[1]", "@i.items[0]", "@i", "@i.objects", "@i.one[]", "@i.single.id[]");
add("missing", "@i.nope", "@i.nope.more", "@i.items.nope", "[@i.nope]", "{'a': @i.nope}", "{'a': @i.nope, 'b': 1}", "[@i.nope, 1]",
  "@i.nope = 3", "@i.nope != 3", "@i.nope = @i.none", "@i.nope & 'x'", "$exists(@i.nope)", "$exists(@i.id)", "$exists(@i.empty)",
  "$exists(@i.nope) and @i.nope > 3", "$exists(@i.nope) ? @i.nope : 'default'", "@i.nope + 1", "@i.nope in [1,2]", "1 in @i.nope",
  "$count(@i.nope)", "$sum(@i.nope)", "$sum([@i.nope])", "$max(@i.nope)", "$average(@i.nope)", "$string(@i.nope)", "$length(@i.nope)",
  "$boolean(@i.nope)", "[1..@i.nope]", "@i.nope[0]", "@i.nope[n>1]", "$append(@i.nope, @i.none)", "$append([], @i.nope)", "$append(@i.nope, 1)",
  "$distinct(@i.nope)", "$reverse(@i.nope)", "$sort(@i.nope)", "$join(@i.nope)", "$lookup(@i.objects, 'nope')", "$merge(@i.nope)", "$type(@i.nope)",
  "@i.nope > 3", "@i.nope < 3", "3 >= @i.nope", "-(@i.nope)", "@i.nope and true", "@i.nope or true");
bare("missing", "@i", "@i.items", "[@i.items.id]", "$count(@i.items)", "$sum([@i.items.n])", "{'n': $count(@i.items)}", "@i.items[ok = true]",
  "[@i.items[ok = true].id]", "@i.items{kind: $sum(n)}", "[@i.items^(n).id]", "$reduce([@i.items], function($a, $b){ $a + 1 }, 0)");
add("null", "null", "{'x': null}", "[null]", "null = null", "$exists(null)", "$type(null)", "$string(null)");
add("list", "[]", "[1]", "[1,2,3]", "[[1],[2]]", "[@i.nums]", "[@i.nums, 4]", "[@i.items.n]", "[@i.items[n>1].id]", "@i.items[n>4].id", "[@i.items[n>4].id]",
  "[@i.items[n>99].id]", "$append([], @i.one)", "$append([1], 2)", "$append(1, 2)", "$append(@i.nums, @i.one)", "$append([], 1)", "$count([])", "$count(5)",
  "$count(@i.items)", "$count(@i.one)", "$count([@i.one])", "$reverse(@i.nums)", "$reverse([1])", "$distinct([1,1,2])", "$distinct([1,1])", "$distinct(1)",
  "$zip([1,2],[3,4])", "$zip([1,2],[3])", "$zip([1],[2])", "[1..3]", "[3..1]", "[0..0]", "[@i.zero..@i.n]", "[1..3, 7]", "[1..3].($ * 2)", "[@i.nums.($ + 1)]");
add("object", "{}", "{'a': 1}", "{'a': {'b': [1, 2]}}", "{'id': @i.id, 'ids': [@i.items.id]}", "@i.items.{'id': id, 'n': n}", "[@i.single.{'id': id}]", "@i.single.{'id': id}",
  "@i.items{kind: $sum(n)}", "@i.items{kind: $count(id)}", "@i.items{id: n}", "@i.single{id: n}", "$merge([{'a': 1}, {'b': 2}])", "$merge([{'a': 1}, {'a': 2}])",
  "$merge([@i.objects, {'k3': 3}])", "$merge({'a': 1})", "$merge([])", "$lookup(@i.objects, 'k1')", "$lookup(@i.items, 'id')", "{'a' & 'b': 1}", "{@i.name: 1}", "@i.objects.k2");
add("filter", "[@i.items[kind='x'].id]", "[@i.items[ok].id]", "[@i.items[ok=false].id]", "[@i.items[kind='x' and n>3].id]", "[@i.items[kind='y' or n=3].id]", "[@i.items[id in ['i1','i3']].n]",
  "[@i.nums[$ > 1]]", "[@i.nums[$ >= 2 and $ < 3]]", "@i.items[kind='x'][0].id", "@i.items[kind='x'][1].id", "(@i.items[kind='x'])[1].id", "[@i.items['q' in tags].id]", "[@i.items[$count(tags) = 0].id]",
  "[@i.items[nope > 1].id]", "[@i.items[$exists(nope)].id]", "[@i.words[$ != 'a']]", "$count(@i.items[ok])", "[@i.items[$contains(id, '2')].id]", "[@i.items[[0,2]].id]");
add("sort", "[@i.items^(n).id]", "[@i.items^(>n).id]", "[@i.items^(kind, n).id]", "[@i.items^(kind, >n).id]", "@i.items^(n)[0].id", "[@i.nums^($)]", "$sort(@i.nums)", "$sort(@i.words)", "$sort([2])", "$sort([])",
  "$sort(@i.nums, function($a, $b){ $a < $b })", "$sort(@i.items, function($a, $b){ $a.n > $b.n }).id", "$sort(@i.mixed)");
add("text", "'a' & 'b'", "'n' & 1", "'t' & true", "@i.name & '-' & @i.n", "$uppercase(@i.name)", "$lowercase(@i.name)", "$length(@i.text)", "$length('')", "$length(@i.unicode)", "$substring(@i.text, 7)",
  "$substring(@i.text, 0, 5)", "$substring(@i.text, -5)", "$substring(@i.text, -5, 2)", "$substring(@i.text, 99)", "$substring(@i.unicode, 1, 1)", "$substringBefore(@i.text, ',')", "$substringBefore(@i.text, 'zz')",
  "$substringAfter(@i.text, ', ')", "$substringAfter(@i.text, 'zz')", "$trim('  a   b ')", "$pad('x', 3)", "$pad('x', -3)", "$pad('x', -3, '0')", "$pad('xyz', 2)", "$contains(@i.text, 'World')", "$contains(@i.text, 'world')",
  "$split('a,b,c', ',')", "$split('abc', ',')", "$split('a,b,c', ',', 2)", "$split('', ',')", "$split('abc', '')", "$join(@i.words)", "$join(@i.words, '-')", "$join(['a'], '-')", "$join([], '-')", "$join('a', '-')",
  "$replace('a-b-c', '-', '+')", "$replace('a-b-c', '-', '+', 1)", "$replace('abc', 'x', 'y')", "$string('a')", "$string(5)", "$string(-7)", "$string(0)", "$string(true)", "$string(@i.big)", "$string(@i.half)", "$string([1,2])", "$string({'a': 1})",
  "'it''s'", "\"quote\"", "'tab\\tnew\\n'", "'<&>'", "'\\u00e9'", "'a' = 'A'", "'a' < 'b'", "'10' < '9'", "'b' >= 'a'");
add("number", "1 + 2", "1 - 2", "2 * 3", "7 / 2", "1 / 3", "-@i.n", "-(-3)", "@i.half * 2", "0.1 + 0.2", "1e3", "1.50", "10 * 10 + 5", "(1 + 2) * 3", "1 + 2 * 3", "$sum(@i.nums)", "$sum([])", "$sum(5)", "$sum(@i.items.n)", "$max(@i.nums)", "$min(@i.nums)", "$max([])", "$max(5)",
  "$min([@i.items.n])", "$average(@i.nums)", "$average([1,2])", "$average([])", "$abs(-5)", "$abs(@i.neg)", "$floor(2.7)", "$floor(-2.1)", "$ceil(2.1)", "$ceil(-2.7)", "$round(2.5)", "$round(3.5)", "$round(-2.5)", "$round(1.234, 2)", "$round(1250, -2)", "$round(2.345, 2)", "$power(2, 8)", "$power(2, -1)",
  "$power(9, 0.5)", "$sqrt(16)", "$sqrt(2)", "$number('12')", "$number('1.5')", "$number('-3')", "$number('1e2')", "$number(true)", "$number(5)", "5 % 3", "@i.big", "@i.big - 1");
add("compare", "1 = 1", "1 = 1.0", "1 != 2", "'1' = 1", "[1,2] = [1,2]", "{'a': 1} = {'a': 1}", "{'a': 1} = {'a': 2}", "1 < 2", "2 <= 2", "3 > 2", "2 >= 3", "1 in [1,2]", "3 in [1,2]", "1 in 1", "'a' in @i.words", "true = true", "@i.on", "@i.off = false", "@i.on and @i.off", "@i.on or @i.off", "true and 1", "false or ''",
  "$boolean(0)", "$boolean(1)", "$boolean('')", "$boolean('a')", "$boolean([])", "$boolean([0])", "$boolean([0,1])", "$boolean({})", "$boolean({'a': 1})", "$boolean(@i.off)", "true ? 1 : 2", "false ? 1 : 2", "false ? 1", "@i.n > 2 ? 'big' : 'small'", "@i.blank ? 1 : 2", "1 ? 'a' : 'b'", "(1 > 2) = false",
  "$type(1)", "$type('a')", "$type(true)", "$type([])", "$type({})", "$type(@i.items)", "false and @i.text > 3", "true or @i.text > 3");
add("block", "($x := 2; $x * 3)", "($f := function($a){ $a + 1 }; $f(1))", "($f := function($a, $b){ $a & $b }; $f('x', 'y'))", "(1; 2)", "($a := 1; $b := $a + 1; [$a, $b])", "($x := @i.nums; $count($x))", "($f := function($a){ $a.n * 2 }; [@i.items.($f($))])",
  "$reduce(@i.nums, function($a, $b){ $a + $b })", "$reduce(@i.nums, function($a, $b){ $a + $b }, 10)", "$reduce([], function($a, $b){ $a + $b }, 0)", "$reduce([5], function($a, $b){ $a + $b })", "$reduce(@i.items, function($a, $i){ $a + $i.n }, 0)", "$reduce(@i.words, function($a, $b){ $a & $b })",
  "$reduce(@i.items, function($a, $i){ $append($a, $i.id) }, [])", "($x := 1; ($x := 2; $x); $x)");
add("added", "$partition([1,2,3,4,5], 2)", "$partition([1], 2)", "$partition([], 2)", "$partition([1,2], 5)", "$range(1, 9, 2)", "$range(0, 0, 1)", "$range(5, 1, -2)", "$hash('abc', 'SHA-256')", "$hash('abc', 'MD5')", "$hash('', 'SHA-1')", "$hash('abc', 'SHA-512')", "$hash('abc', 'SHA-384')",
  "$parse('{\"a\": [1, 2]}')", "$parse('3')", "$parse('\"x\"')", "$parse(@i.json).errorMessage", "$partition([@i.items.id], 2)", "$count($partition([1..101], 50))");
add("error", "1 + 'a'", "'a' * 2", "-'a'", "@i.items + 1", "1 < 'a'", "true < false", "$sum(['a'])", "$max(['a'])", "$number('x')", "$uppercase(1)", "$length(1)", "$substring(1, 2)", "$join([1,2])", "$split(1, ',')", "$replace('a', '', 'x')", "$sqrt(-1)", "$sort([1, 'a'])", "[1..'a']", "[1.5..3]", "$parse('{')", "$hash('a', 'NOPE')", "$partition([1], 0)",
  "$range(1, 2, 0)", "$contains(1, 'a')", "$merge([1])", "{1: 2}", "$undefined(1)", "@i.name.(1)()", "1()", "$abs('a')", "$power('a', 1)", "$average(['a'])", "{'a': 1, 'a': 2}", "@i.items{kind: n, 'x': n}", "1 / 0");

const err = (code, message) => { throw Object.assign(new Error(message), { code }); };
const json = (v) => JSON.parse(JSON.stringify(v));
const out = [];
for (const [group, name, expr] of rows) {
  const row = { group, data: name, expr };
  try {
    const e = jsonata(expr);
    e.registerFunction("partition", (a, n) => { n = Math.floor(n); if (n < 1) err("X", "size"); const r = []; for (let i = 0; i < a.length; i += n) r.push(a.slice(i, i + n)); return r; }, "<an:a>");
    e.registerFunction("range", (a, b, s) => { if (s === 0) err("X", "step"); const r = []; for (let i = a; s > 0 ? i <= b : i >= b; i += s) r.push(i); return r; }, "<nnn:a>");
    e.registerFunction("hash", (t, alg) => { const k = { "MD5": "md5", "SHA-1": "sha1", "SHA-256": "sha256", "SHA-384": "sha384", "SHA-512": "sha512" }[alg]; if (!k) err("X", "algorithm"); return createHash(k).update(t).digest("hex"); }, "<ss:s>");
    e.registerFunction("parse", (t) => JSON.parse(t), "<s:x>");
    const v = await e.evaluate(undefined, { states: { input: data[name], context: {} } });
    if (v === undefined) row.missing = true;
    else if (typeof v === "function" || v?._jsonata_lambda || v?._jsonata_function) row.error = "function";
    else row.value = json(v);
  } catch (e) { row.error = e.code ?? e.name; }
  out.push(row);
}
console.log('{"data": ' + JSON.stringify(data) + ', "rows": [\n' + out.map((r) => JSON.stringify(r)).join(",\n") + "\n]}");
