import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { parse } from "trellis-policy/yaml";

const json = (text) => parse(text).map((document) => document.json);
const problems = (text) => parse(text).flatMap((document) => document.problems);

test("scalars mean what the table says that every reader shares", async () => {
  const table = JSON.parse(await readFile(new URL("../../../tests/scalars.json", import.meta.url), "utf8"));
  assert.ok(table.length > 100);
  for (const [spelling, value] of table) {
    assert.deepEqual(json(`a: ${spelling}\n`), [value === null ? undefined : `{"a":${value}}`], spelling);
  }
});

test("YAML becomes JSON with the numbers as spelled", () => {
  const table = [
    ["version: 1.30\n", '{"version":1.30}'],
    ["big: 123456789012345678901234567890\n", '{"big":123456789012345678901234567890}'],
    ["on: yes\n8: x\n1.5: z", '{"true":true,"8":"x","1.5":"z"}'],
    ["a: |\n  x\n  y\nb: >-\n  x\n  y\n", '{"a":"x\\ny\\n","b":"x y"}'],
    ["a:\nb: ~\nc: ''\n", '{"a":null,"b":null,"c":""}'],
    ["a: 1\n---\n---\n# nothing\n---\nb: 2\n...\n", '{"a":1}', '{"b":2}'],
    ["\ufeffa: 1\n", '{"a":1}'],
    ["a: 1\r\nb:\r\n- 2\r\n", '{"a":1,"b":[2]}'],
    ["%YAML 1.1\n---\na: 1\n", '{"a":1}'],
    ['{"a":1,"b":[true,null,"\\u00e9\\/"],\n\t"c": {}}', '{"a":1,"b":[true,null,"é/"],"c":{}}'],
    ['{"a":"\\ud83d\\ude00","b":1.30}\n{"a":[]} [1]\nnull', '{"a":"😀","b":1.30}', '{"a":[]}', "[1]"],
    ["{a: 1, b: [x, k: z], c}", '{"a":1,"b":["x",{"k":"z"}],"c":null}'],
    ["# nothing\n"],
    [""],
  ];
  for (const [text, ...expected] of table) assert.deepEqual(json(text), expected, text);
});

test("aliases repeat, and merge keys fill in", () => {
  const table = [
    ["a: &x {p: 1}\nb: *x\n", '{"a":{"p":1},"b":{"p":1}}'],
    ["a: &x 5\nb: [*x, *x]\n", '{"a":5,"b":[5,5]}'],
    ["a: &x {p: 1, q: 2}\nb:\n  <<: *x\n  q: 3\n", '{"a":{"p":1,"q":2},"b":{"q":3,"p":1}}'],
    [
      "a: &x {p: 1}\nb: &y {p: 2, q: 2}\nc:\n  <<: [*x, *y]\n",
      '{"a":{"p":1},"b":{"p":2,"q":2},"c":{"p":1,"q":2}}',
    ],
    ["'<<': 1\n", '{"<<":1}'],
  ];
  for (const [text, expected] of table) assert.deepEqual(json(text), [expected], text);
});

test("what has no meaning is named, with its place and what to do", () => {
  const table = [
    ["a: .inf\n", ".inf", /a computer can hold/],
    ["? [a]\n: b\n", "[a]", /a key must be/],
    ["a:\n  ~: b\n", "~", /a key must be/],
    ["a: *x\n", "*x", /no anchor/],
    ["a: &x [*x]\n", "*x", /no anchor/],
    ["a: &x 1\n---\nb: *x\n", "*x", /no anchor/],
    ["a: !custom 1\n", "1", /the tag `!custom`/],
    ["a: !!int x\n", "x", /does not fit its tag `!!int`/],
    ["a:\n  <<: 5\n", "5", /merges mappings/],
    ["a: 1\nb: \0\n", "\0", /a NUL/],
    ["a: \ud83d\n", "\ud83d", /surrogate/],
    ["[3e333033]", "3e333033", /a computer can hold/],
  ];
  for (const [text, place, message] of table) {
    const [{ from, to, message: said, remedy }] = problems(text);
    assert.equal(text.slice(from, to), place, text);
    assert.match(said, message);
    assert.notEqual(remedy, "");
    assert.equal(parse(text).at(-1).json, undefined, text);
  }
});

test("a key that is there twice is a problem, and the policy sees both", () => {
  for (const text of ["a: 1\nb: 2\na: 3\n", '{"a":1,\n"b":2,"a":3}']) {
    const [document] = parse(text);
    assert.equal(document.json, '{"a":1,"b":2,"a":3}');
    const [{ message, from, readable }] = document.problems;
    assert.match(message, /`a` is already set in line 1/);
    assert.equal(from, text.lastIndexOf("a") - Number(text.startsWith("{")));
    assert.equal(readable, true);
    assert.equal(text.slice(document.locate("/a").from, document.locate("/a").to), "3");
  }
});

test("syntax errors say where, and what to do", () => {
  const table = [
    ["a:\n\tb: c\n", 2, "spaces"],
    ["a: b: c\n", 1, "quote"],
    ["a: @x\n", 1, "quote"],
    ['a: "x\nb: c\n', 1, "close the quote"],
    ["a: [b\nc: d\n", 2, "bracket"],
    ["{a: 1}\n{b: 2}\n", 2, "---"],
    ["- a\nb: c\n", 2, "indentation"],
    ["a: 1\nb\n", 2, "colon"],
    ["a: [b\nc: d\ne: f\ng: h\n", 2, "bracket"],
    ["a: 'b\nc: d\ne: 'f'\ng: h\n", 1, "close the quote"],
    ["a:\n  b: 1\n c: 2\nd: 3\n   e: 4\n", 3, "indentation"],
    ["a: b: c\nd: @e\n", 1, "quote"],
  ];
  for (const [text, line, help] of table) {
    const found = problems(text);
    assert.equal(found.length, 1, text);
    const [{ from, to, message, remedy }] = found;
    assert.match(message, /^this is not valid YAML/);
    assert.equal(text.slice(0, from).split("\n").length, line, text);
    assert.ok(to >= from && to <= text.length);
    assert.ok(remedy.includes(help), `${text}: ${message} / ${remedy}`);
  }
});

test("a document in disorder leaves the others readable", () => {
  const [first, second] = parse("a: [\n---\nb: 1\n");
  assert.equal(first.json, undefined);
  assert.equal(second.json, '{"b":1}');
});

test("hostile texts end with a problem", () => {
  const repeated = (count, part) => Array.from({ length: count }, (_, level) => part(level)).join("");
  const table = {
    brackets: ["[".repeat(100_000), /64 levels/],
    braces: ["{a: ".repeat(100_000), /64 levels/],
    "bracket lines": ["[\n".repeat(1 << 20), /64 levels/],
    dashes: ["- ".repeat(3 << 19), /64 levels/],
    questions: ["? ".repeat(3 << 19), /64 levels/],
    indentation: [repeated(1_000, (level) => `${" ".repeat(level)}a:\n`), /64 levels/],
    "aliases that deepen": [`s0: &s0 [x]\n${repeated(60, (at) => `s${at + 1}: &s${at + 1} [[[*s${at}]]]\n`)}`, /64 levels/],
    "alias bomb": [`a0: &a0 [x, x]\n${repeated(40, (at) => `a${at + 1}: &a${at + 1} [*a${at}, *a${at}]\n`)}`, /50,000 values/],
    "anchors in anchors": [`${repeated(60, (at) => `&a${at} [`)}${"x,".repeat(40_000)}${"]".repeat(60)}`, /50,000 values/],
    "many items": ["- a\n".repeat(700_000), /50,000 values/],
    "many nothings": ["-\n".repeat(1_500_000), /50,000 values/],
    "many items in one line": [`[${"1,".repeat(1_500_000)}]`, /50,000 values/],
    "many items of JSON": [`[${"1,".repeat(60_000)}1]`, /50,000 values/],
    "many documents": ["--- a\n".repeat(500_000), /50,000 values/],
    "long text repeated": [`a: &x ${"x".repeat(1 << 20)}\nb: [${"*x,".repeat(40_000)}]`, /3 MiB/],
    "ten megabytes": ["a".repeat(10_000_000), /larger than 3 MiB/],
    "four megabytes of é": ["é".repeat(2 << 20), /larger than 3 MiB/],
    "brackets of JSON": [`${"[".repeat(70)}${"]".repeat(70)}`, /64 levels/],
    "a long name": [`a: *${"x".repeat(1 << 20)}`, /^the alias `\*x{80}…` has/],
  };
  for (const [name, [text, message]] of Object.entries(table)) {
    const found = problems(text);
    assert.match(found.at(-1).message, message, name);
    assert.ok(found.every(({ message, remedy }) => message.length + remedy.length < 500), name);
  }
});

test("long texts within the limits are read", () => {
  const [line] = json(`a: "${"é".repeat(1 << 20)}"\n`);
  assert.equal(line.length, (1 << 20) + 8);
  assert.equal(json(`{"a": "${"\\n".repeat(1 << 20)}"}`)[0].length, (2 << 20) + 8);
  assert.deepEqual(json(`${"# comment\n".repeat(100_000)}a: 1\n`), ['{"a":1}']);
  const entries = (count) => Array.from({ length: count }, (_, at) => `k${at}: v\n`).join("");
  assert.deepEqual(problems(entries(49_999)), []);
  assert.equal(problems(entries(50_000)).length, 1);
});

test("no text makes the reader throw", () => {
  const parts = [..." -:a[]{}&*!|>'\"#,\n\t?%~<é0.", "\n- ", ": ", "a: ", "&a ", "*a", "<<: *a", "---\n", "!!str ", '{"a":'];
  let seed = 7;
  const random = (below) => (seed = (seed * 48_271) % 2_147_483_647) % below;
  for (let round = 0; round < 20_000; round += 1) {
    const text = Array.from({ length: random(15) }, () => parts[random(parts.length)]).join("");
    for (const document of parse(text)) {
      const place = document.locate("/a/0");
      assert.equal(place === undefined, document.json === undefined, JSON.stringify(text));
      if (document.json !== undefined) JSON.parse(document.json);
    }
  }
});

test("a text that is no YAML because of what a program is to fill in is a template, and nothing else is said", () => {
  for (const text of ["kind: Shoot\nname: {{ .Values.name }}\n", "{{- if .x }}\nkind: Shoot\n{{- end }}\n", "a: [${A}, b]\n", "a: {% if x %}\n"]) {
    assert.deepEqual(problems(text).map(({ message }) => message), ["this looks like a template"], text);
  }
  assert.equal(problems("region: ${REGION}\nname: <SHOOT>\n").length, 0);
  assert.match(problems("a: b: c\nd: ${x}\n\n\n")[0].message, /template/);
  assert.match(problems("a: b: c\nd: e\nf: ${x}\n")[0].message, /not valid YAML/);
});
