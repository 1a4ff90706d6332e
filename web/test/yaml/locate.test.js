import assert from "node:assert/strict";
import { test } from "node:test";
import { locate, parse } from "trellis-policy/yaml";

const TEXT = `\
a/b: 1
list:
- name: x
  note: |
    first
    second
- [p, q]
none:
é: {inner: 'v'}
`;

test("pointers lead to values, keys or the nearest ancestor", () => {
  const table = [
    ["", "a/b", 1, true],
    ["/a~1b", "1", 1, true],
    ["/list", "list", 2, true],
    ["/list/0", "name", 3, true],
    ["/list/0/name", "x", 3, true],
    ["/list/0/note", "first", 5, true],
    ["/list/0/missing", "name", 3, false],
    ["/list/1/1", "q", 7, true],
    ["/list/1/7", "[p, q]", 7, false],
    ["/list/00", "list", 2, false],
    ["/list/-", "list", 2, false],
    ["/none", "none", 8, true],
    ["/none/deeper/still", "none", 8, false],
    ["/é/inner", "'v'", 9, true],
    ["/é/other", "é", 9, false],
    ["/missing", "a/b", 1, false],
  ];
  for (const [pointer, expected, line, exact] of table) {
    const { from, to, ...place } = locate(TEXT, pointer);
    assert.deepEqual([TEXT.slice(from, to), TEXT.slice(0, from).split("\n").length], [expected, line], pointer);
    assert.equal(place.exact, exact, pointer);
  }
});

test("offsets are UTF-16 units, and a value knows its key", () => {
  const text = "😀: 'é😀'\nb: 2\n";
  assert.deepEqual(locate(text, "/b"), { from: 13, to: 14, key: { from: 10, to: 11 }, exact: true });
  const crlf = "a: 1\r\nb:\r\n  c: 2\r\n";
  const { from, to } = locate(crlf, "/b/c");
  assert.equal(crlf.slice(from, to), "2");
});

test("each document of a text has its own places", () => {
  const text = "a: 1\n---\na: 2\n";
  assert.equal(locate(text, "/a", 0).from, 3);
  assert.equal(locate(text, "/a", 1).from, 12);
  assert.equal(locate(text, "/a", 2), undefined);
  assert.deepEqual(parse(text).map(({ from, to }) => text.slice(from, to)), ["a: 1\n", "---\na: 2\n"]);
});

test("a fragment has the places of what is in it", () => {
  const text = "- name: a\n  minimum: 1\n- name: b\n";
  const [fragment] = parse(text, { at: "/spec/provider/workers" });
  const shown = (pointer) => {
    const place = fragment.locate(pointer);
    return place && text.slice(place.from, place.to);
  };
  assert.equal(shown("/spec/provider/workers/0/minimum"), "1");
  assert.equal(shown("/spec/provider/workers/1/maximum"), "name");
  assert.equal(shown("/spec/provider/workers"), "- name: a");
  for (const elsewhere of ["", "/spec/provider", "/spec/provider/workersX", "/spec/region"]) {
    assert.equal(shown(elsewhere), undefined, elsewhere);
  }
});

test("what an alias brought is placed at the alias or the anchor", () => {
  const text = "a: &x\n  p: 1\nb: *x\nc: [*x]\n";
  const shown = (pointer) => {
    const { from, to } = locate(text, pointer);
    return `${from}:${text.slice(from, to)}`;
  };
  assert.equal(shown("/b"), "13:b");
  assert.equal(shown("/b/p"), "11:1");
});

test("an offset leads to the pointer of the value whose key or scalar stands there", () => {
  const text = "a/b:\n  - c: 1\n    d: {e: 'f'}\n";
  const [document] = parse(text, { at: "/x" });
  const found = (part) => {
    const found = document.find(text.indexOf(part));
    return found && [found.pointer, text.slice(found.range.from, found.range.to)];
  };
  assert.deepEqual(found("a/b"), ["/x/a~1b", "a/b"]);
  assert.deepEqual(found("c"), ["/x/a~1b/0/c", "c"]);
  assert.deepEqual(found("1"), ["/x/a~1b/0/c", "1"]);
  assert.deepEqual(found("'f'"), ["/x/a~1b/0/d/e", "'f'"]);
  assert.equal(found("- c"), undefined);
});
