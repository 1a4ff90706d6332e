import assert from "node:assert/strict";
import { test } from "node:test";
import { applyEdits, edits, embed, parse } from "trellis-policy/yaml";
import { stringify } from "yaml";
import { patched } from "./patch.js";

const add = (path, value) => ({ op: "add", path, value });
const replace = (path, value) => ({ op: "replace", path, value });
const remove = (path) => ({ op: "remove", path });
const move = (from, path) => ({ op: "move", from, path });

function edited(text, patch, options) {
  const found = edits(text, patch, options);
  return found && applyEdits(text, found);
}

/** Before and after, by the patch that is applied. */
function check(table) {
  for (const [name, before, patch, after, options] of table) assert.equal(edited(before, patch, options), after, name);
}

test("a scalar is replaced where it stands, in the quotes that it has", () => {
  check([
    ["plain", "a: 1   # why\nb: 2\n", [replace("/a", 3)], "a: 3   # why\nb: 2\n"],
    ["plain that needs quotes", "a: x # why\n", [replace("/a", "1.30")], 'a: "1.30" # why\n'],
    ["double quotes", 'a: "x"\n', [replace("/a", "y: z")], 'a: "y: z"\n'],
    ["single quotes", "a: 'x'\n", [replace("/a", "it's")], "a: 'it''s'\n"],
    ["quotes for what is no text", "a: 'x'\n", [replace("/a", true)], "a: true\n"],
    ["the quotes that the text uses", "a: 'x'\nb: y\n", [replace("/b", "yes")], "a: 'x'\nb: 'yes'\n"],
    ["a nothing", "a:   # why\nb: 2\n", [add("/a", "x")], "a: x   # why\nb: 2\n"],
    ["a null", "a: ~ # why\n", [replace("/a", "x")], "a: x # why\n"],
    ["an item", "- 1\n- 2 # why\n", [replace("/1", "a b")], "- 1\n- a b # why\n"],
    ["a block scalar", "a: |\n  x\n  y\nb: 1\n", [replace("/a", "z")], "a: z\nb: 1\n"],
    ["a block scalar with a comment", "a: !!str |-  # why\n  x\n  y\nb: 1\n", [replace("/a", "z")], "a: z  # why\nb: 1\n"],
    ["an empty block scalar", "a: | # why\nb: 1\n", [replace("/a", "z")], "a: z # why\nb: 1\n"],
    ["a text over lines", "a: x\n  y\nb: 1\n", [replace("/a", "z")], "a: z\nb: 1\n"],
    ["the whole document", "# head\nx\n", [replace("", { a: 1 })], "# head\na: 1\n"],
    ["without a last line break", "a: 1\nb: 2", [replace("/b", 3)], "a: 1\nb: 3"],
    ["a number that was meant as text", "version: 1.30 # why\n", [replace("/version", "1.30")], 'version: "1.30" # why\n'],
  ]);
});

test("a list or mapping takes the place of a scalar and the other way round; comments behind the key stay", () => {
  check([
    ["mapping", "a: 1 # why\nb: 2\n", [replace("/a", { c: 1, d: ["x"] })], "a: # why\n  c: 1\n  d:\n  - x\nb: 2\n"],
    ["scalar", "a: # why\n  c: 1 # inner\n  d: 2\nb: 2\n", [replace("/a", 5)], "a: 5 # why\nb: 2\n"],
    ["item", "- 1 # why\n", [replace("/0", { a: 1, b: 2 })], "- a: 1\n  b: 2 # why\n"],
    ["mapping for a block scalar", "a: | # why\n  x\nb: 2\n", [replace("/a", { c: 1 })], "a: # why\n  c: 1\nb: 2\n"],
    ["list for mapping", "a:\n  c: 1\nb: 2\n", [replace("/a", ["x"])], "a:\n- x\nb: 2\n"],
    ["empty", "a:\n  c: 1\nb: 2\n", [replace("/a", {})], "a: {}\nb: 2\n"],
  ]);
});

test("a key is renamed where it stands", () => {
  const rename = [move("/a/workrs", "/a/workers")];
  check([
    ["plain", "a:\n  # which\n  workrs: # why\n  - 1 # one\n  b: 2\n", rename, "a:\n  # which\n  workers: # why\n  - 1 # one\n  b: 2\n"],
    ["in brackets", "a: { workrs : [ 1, 2 ], b: 2 } # why\n", rename, "a: { workers : [ 1, 2 ], b: 2 } # why\n"],
    ["JSON", '{"a":{"b":2,"workrs":[1, 2]}}', rename, '{"a":{"b":2,"workers":[1, 2]}}'],
    ["double quotes", 'a:\n  "workrs": 1.0\n', rename, 'a:\n  "workers": 1.0\n'],
    ["single quotes", "a: {'workrs': 1}\n", [move("/a/workrs", "/a/it's")], "a: {'it''s': 1}\n"],
    ["a key that needs quotes", "a:\n  workrs: 1\n", [move("/a/workrs", "/a/x: y")], 'a:\n  "x: y": 1\n'],
    ["a key that needs quotes in brackets", "a: {workrs: 1}\n", [move("/a/workrs", "/a/x,y")], 'a: {"x,y": 1}\n'],
    ["a key with a slash", "a/b: 1\n", [move("/a~1b", "/c~0d")], "c~d: 1\n"],
    ["without a value", "a:\n  workrs:\n  b: 2\n", rename, "a:\n  workers:\n  b: 2\n"],
    ["without a colon", "a: {workrs, b: 2}\n", rename, "a: {workers, b: 2}\n"],
    ["with a question mark", "a:\n  ? workrs\n  : 1\n", rename, "a:\n  ? workers\n  : 1\n"],
    ["behind a dash", "- workrs: 1 # one\n  b: 2\n", [move("/0/workrs", "/0/workers")], "- workers: 1 # one\n  b: 2\n"],
    ["with an anchor", "a:\n  workrs: &x [1]\nb: *x\n", rename, "a:\n  workers: &x [1]\nb: *x\n"],
    ["an alias", "b: &x [1]\na:\n  workrs: *x\n", rename, "b: &x [1]\na:\n  workers: *x\n"],
    ["CRLF", "a:\r\n  workrs: |\r\n    x\r\nb: 1\r\n", rename, "a:\r\n  workers: |\r\n    x\r\nb: 1\r\n"],
    ["then changed", "a:\n  workrs: {b: 1} # why\n", [...rename, replace("/a/workers/b", 2)], "a:\n  workers: {b: 2} # why\n"],
    ["after a change", "a:\n  workrs: {b: 1} # why\n", [replace("/a/workrs/b", 2), ...rename], "a:\n  workers: {b: 2} # why\n"],
    ["back", "a:\n  workrs: 1\n", [...rename, move("/a/workers", "/a/workrs")], "a:\n  workrs: 1\n"],
    ["two at once", "a: 1\nb: 2\n", [move("/a", "/c"), move("/b", "/a")], "c: 1\na: 2\n"],
    ["next to a removal", "a: 1\nb: 2\nd: 3\n", [remove("/a"), move("/b", "/c")], "c: 2\nd: 3\n"],
    ["in a fragment", "workrs: 1\n", rename, "workers: 1\n", { at: "/a" }],
    ["a fragment's own key", "workrs: 1\n", [move("/a", "/b")], undefined, { at: "/a" }],
  ]);
});

test("what is more than a rename is not done", () => {
  const text = "a: &x\n  b: 1\nd: *x\nl: [1, 2]\n";
  for (const operation of [
    move("/l", "/a/l"),
    move("/a/b", "/b"),
    move("/l", "/d"),
    move("/m", "/n"),
    move("/l/0", "/l/1"),
    move("", "/n"),
    move("/n", ""),
    // It would show in `d`.
    move("/a/b", "/a/n"),
  ]) {
    assert.equal(edits(text, [operation]), undefined, JSON.stringify(operation));
  }
});

test("what is the same in the old and the new value keeps its text", () => {
  check([
    [
      "mapping",
      "a: # why\n  p: 1 # one\n  # two\n  q: 2.0\n  r: 3\n",
      [replace("/a", { r: 4, p: 1, q: 2 })],
      "a: # why\n  p: 1 # one\n  # two\n  q: 2.0\n  r: 4\n",
    ],
    ["list", "- a # one\n- b # two\n- c\n", [replace("", ["a", "x"])], "- a # one\n- x # two\n"],
  ]);
});

test("an entry is added behind the last one, in the style of its surroundings", () => {
  check([
    ["mapping", "a:\n  b: 1 # why\n# end\nc: 2\n", [add("/a/d", "x")], "a:\n  b: 1 # why\n  d: x\n# end\nc: 2\n"],
    ["behind a nested list", "a:\n  b:\n  - 1\nc: 2\n", [add("/a/d", 1)], "a:\n  b:\n  - 1\n  d: 1\nc: 2\n"],
    ["four spaces", "a:\n    b: 1\n", [add("/c", { d: { e: 1 } })], "a:\n    b: 1\nc:\n    d:\n        e: 1\n"],
    ["indented dashes", "a:\n  - 1\nb: {}\n", [add("/b/c", [1])], "a:\n  - 1\nb:\n  c:\n    - 1\n"],
    ["flush dashes", "a:\n- 1\nb: {}\n", [add("/b/c", [[1, { d: 2 }]])], "a:\n- 1\nb:\n  c:\n  - - 1\n    - d: 2\n"],
    ["empty mapping", "a: {} # why\nb: 1\n", [add("/a/c", 1)], "a: # why\n  c: 1\nb: 1\n"],
    ["nothing", "a:\nb: 1\n", [add("/a", {}), add("/a/c", 1)], "a:\n  c: 1\nb: 1\n"],
    ["in an item", "- a: 1\n  b: 2\n- c\n", [add("/0/d", 3)], "- a: 1\n  b: 2\n  d: 3\n- c\n"],
    ["behind a block scalar", "a:\n  b: |+\n    x\n\nc: 1\n", [add("/a/d", 1)], "a:\n  b: |+\n    x\n\n  d: 1\nc: 1\n"],
    ["without a last line break", "a: 1", [add("/b", 2)], "a: 1\nb: 2"],
    ["CRLF", "a:\r\n  b: 1\r\nc: 2\r\n", [add("/a/d", { e: 1 })], "a:\r\n  b: 1\r\n  d:\r\n    e: 1\r\nc: 2\r\n"],
    ["keys that need quotes", "a: 1\n", [add("/yes", { "a: b": 1, "x/y": 2 })], 'a: 1\n"yes":\n  "a: b": 1\n  x/y: 2\n'],
    ["step by step", "a: 1\n", [add("/b", {}), add("/b/c", []), add("/b/c/0", 1)], "a: 1\nb:\n  c:\n  - 1\n"],
    ["in an empty document", "{}", [add("/a", 1)], "a: 1"],
  ]);
});

test("items are added where the patch says", () => {
  check([
    ["first", "a:\n- x # one\n- y\n", [add("/a/0", "w")], "a:\n- w\n- x # one\n- y\n"],
    ["between", "a:\n- x # one\n- y\n", [add("/a/1", "w")], "a:\n- x # one\n- w\n- y\n"],
    ["last", "a:\n- x # one\n- y\n", [add("/a/-", { k: 1, l: 2 })], "a:\n- x # one\n- y\n- k: 1\n  l: 2\n"],
    ["first of an inner list", "- - x\n  - y\n", [add("/0/0", "w")], "- - w\n  - x\n  - y\n"],
  ]);
});

test("what is removed takes its line along, and no comment of another", () => {
  check([
    ["entry", "a: 1\n# about b\nb: 2 # two\nc: 3\n", [remove("/b")], "a: 1\n# about b\nc: 3\n"],
    ["first", "a: 1\nb: 2\n", [remove("/a")], "b: 2\n"],
    ["last", "a: 1\nb:\n  c: 2\n", [remove("/b")], "a: 1\n"],
    ["only", "a:\n  b: 1\nc: 2\n", [remove("/a/b")], "a: {}\nc: 2\n"],
    ["only, of the document", "a: 1\n", [remove("/a")], "{}\n"],
    ["first of an item", "- a: 1 # one\n  b: 2\n", [remove("/0/a")], "- b: 2\n"],
    ["first of an item, with a comment below", "- a: 1\n  # about b\n  b: 2\n", [remove("/0/a")], "- \n  # about b\n  b: 2\n"],
    ["item", "a:\n- x # one\n- y # two\n", [remove("/a/0")], "a:\n- y # two\n"],
    ["with CRLF", "a: 1\r\nb: 2\r\nc: 3\r\n", [remove("/b")], "a: 1\r\nc: 3\r\n"],
    ["two, and one comes", "a: 1\nb: 2\nc: 3\n", [remove("/a"), remove("/c"), add("/d", 4)], "b: 2\nd: 4\n"],
  ]);
});

test("brackets keep their style", () => {
  check([
    ["add", "a: {b: 1, c: [x, y]} # why\n", [add("/a/d", "e, f")], 'a: {b: 1, c: [x, y], d: "e, f"} # why\n'],
    ["add an item", "a: [x, y]\n", [add("/a/1", "z")], "a: [x, z, y]\n"],
    ["remove", "a: {b: 1, c: 2, d: 3}\n", [remove("/a/b"), remove("/a/d")], "a: {c: 2}\n"],
    ["a key alone", "a: {b, c: 1}\n", [replace("/a/b", 2)], "a: {b: 2, c: 1}\n"],
    ["empty within", "a: {b: {}}\n", [add("/a/b/c", 1)], "a: {b: {c: 1}}\n"],
    ["on lines", "a: [\n  x,\n  y\n]\n", [add("/a/-", "z")], "a: [\n  x,\n  y,\n  z\n]\n"],
    ["JSON on one line", '{"a":{},"b":[1]}', [add("/a/c", { d: ["e"] }), add("/b/-", 2)], '{"a":{"c":{"d":["e"]}},"b":[1,2]}'],
    ["JSON with spaces", '{"a": 1, "b": "x"}', [replace("/b", "y"), add("/c", { d: 1 })], '{"a": 1, "b": "y", "c": {"d": 1}}'],
    [
      "JSON on lines",
      '{\n  "a": {},\n  "b": [\n    1\n  ]\n}\n',
      [add("/a/c", { d: 1 }), add("/b/-", 2), add("/e", null)],
      '{\n  "a": {\n    "c": {\n      "d": 1\n    }\n  },\n  "b": [\n    1,\n    2\n  ],\n  "e": null\n}\n',
    ],
    ["JSON with tabs", '{\n\t"a": 1\n}', [add("/b", [1])], '{\n\t"a": 1,\n\t"b": [\n\t\t1\n\t]\n}'],
  ]);
});

test("one document of several is edited, and a fragment by pointers into the whole", () => {
  check([
    ["second", "a: 1\n---\na: 1\n---\na: 1\n", [replace("/a", 2)], "a: 1\n---\na: 2\n---\na: 1\n", { document: 1 }],
    ["add to the first", "a: 1\n---\na: 1\n", [add("/b", 2)], "a: 1\nb: 2\n---\na: 1\n", { document: 0 }],
    ["fragment", "- name: a\n", [add("/w/0/b", 1), add("/w/-", "c")], "- name: a\n  b: 1\n- c\n", { at: "/w" }],
    ["elsewhere", "- name: a\n", [add("/w/0/b", 1), add("/x", 1)], undefined, { at: "/w" }],
    ["no such document", "a: 1\n", [replace("/a", 2)], undefined, { document: 1 }],
  ]);
});

test("aliases are written out where they change, and nothing changes behind one's back", () => {
  check([
    ["alias", "a: &x {p: 1}\nb: *x\n", [replace("/b/p", 2)], "a: &x {p: 1}\nb:\n  p: 2\n"],
    ["merged", "a: &x {p: 1}\nb:\n  <<: *x\n  q: 1\n", [replace("/b/p", 2)], "a: &x {p: 1}\nb:\n  <<: *x\n  q: 1\n  p: 2\n"],
    ["anchor", "a: &x {p: 1}\nb: *x\n", [replace("/a/p", 2)], undefined],
    ["a key behind an alias", "a: &x {p: 1}\nb: *x\n", [move("/b/p", "/b/q")], "a: &x {p: 1}\nb:\n  q: 1\n"],
    ["a merged key", "a: &x {p: 1}\nb:\n  <<: *x\n", [move("/b/p", "/b/q")], "a: &x {p: 1}\nb:\n  q: 1\n"],
    ["merged away", "a: &x {p: 1}\nb:\n  <<: *x\n  q: 1\n", [remove("/b/p")], undefined],
  ]);
});

test("there are no edits where the patch does not apply or the text is in disorder", () => {
  check([
    ["absent", "a: 1\n", [remove("/b")], undefined],
    ["replace absent", "a: 1\n", [replace("/b", 1)], undefined],
    ["parent absent", "a: 1\n", [add("/b/c", 1)], undefined],
    ["in a scalar", "a: 1\n", [add("/a/c", 1)], undefined],
    ["beyond the list", "a: [1]\n", [add("/a/2", 1)], undefined],
    ["no index", "a: [1]\n", [replace("/a/x", 1)], undefined],
    ["another operation", "a: 1\n", [{ op: "test", path: "/a", value: 2 }], undefined],
    ["a copy", "a: 1\n", [{ op: "copy", from: "/a", path: "/b" }], undefined],
    ["syntax", "a: [1\n", [add("/b", 1)], undefined],
    ["twice", "a: 1\na: 2\n", [replace("/a", 1)], undefined],
    ["empty", "", [add("/a", 1)], undefined],
    ["nothing to do", "a: 1 # why\n", [replace("/a", 1)], "a: 1 # why\n"],
  ]);
});

test("a fragment is put into its object, all spelled as it was", () => {
  const table = [
    ['{"a":1.30,"s":{"w":[1]},"b":1}', "/s/w/0", '{"x":1.10}', '{"a":1.30,"s":{"w":[{"x":1.10}]},"b":1}'],
    ['{"s":{"w":[1]}}', "/s/w/1", "2", '{"s":{"w":[1,2]}}'],
    ["{}", "/s/a~1b", "[1]", '{"s":{"a/b":[1]}}'],
    ['{"a":1}', "", '{"b":2}', '{"b":2}'],
    ['{"s":1}', "/s/w", "[1]", undefined],
    ['{"s":[]}', "/s/1", "[1]", undefined],
    ["{", "/s", "[1]", undefined],
    ["{}", "/s", "a: 1", undefined],
  ];
  for (const [object, at, fragment, expected] of table) assert.equal(embed(object, at, fragment), expected, object);
});

test("random patches of random texts come out as the patch says", () => {
  let seed = 11;
  const random = (below) => (seed = (seed * 48_271) % 2_147_483_647) % below;
  const pick = (list) => list[random(list.length)];
  const texts = ["x", "yes", "1.30", "a b", "", "- a", "a: b", "a #b", "#a", "10.0.0.0/8", "l1\nl2\n", "é😀", "'q'", '"d"', "2026-11-21", "0x1F", "~", "a,b", "<<", "=", " x", "...", "\u2028", "\u0085"];
  const keys = ["a", "b", "yes", "1", "a/b", "~t", "a b", "é", "", "- x", "null", "#"];
  const token = (key) => String(key).replaceAll("~", "~0").replaceAll("/", "~1");
  const value = (depth) => {
    const kind = random(depth > 3 ? 1 : 3);
    if (kind === 0) return pick([null, true, random(100), -1.5, pick(texts), pick(texts)]);
    const members = Array.from({ length: random(4) }, () => [pick(keys), value(depth + 1)]);
    return kind === 1 ? Object.fromEntries(members) : members.map(([, member]) => member);
  };
  const pointers = (value, at = "", parent = []) => [
    [at, value, parent],
    ...(value && typeof value === "object"
      ? Object.entries(value).flatMap(([key, member]) => pointers(member, `${at}/${token(key)}`, value))
      : []),
  ];
  const operation = (current) => {
    const [path, found, parent] = pick(pointers(current));
    const kind = random(5);
    if (kind === 4 && !Array.isArray(parent)) {
      const key = pick(keys.filter((key) => !Object.hasOwn(parent, key)));
      return move(path, `${path.slice(0, path.lastIndexOf("/"))}/${token(key)}`);
    }
    if (kind === 0 && Array.isArray(found)) return add(`${path}/${pick(["-", 0, found.length])}`, value(2));
    if (kind === 0 && found && typeof found === "object") return add(`${path}/${token(pick(keys))}`, value(2));
    return kind === 1 && path !== "" ? remove(path) : replace(path, value(2));
  };
  const writings = [
    (value) => stringify(value, { version: "1.1" }),
    (value) => stringify(value, { version: "1.1", indentSeq: false }).replaceAll("\n", "\r\n"),
    (value) => stringify(value, { version: "1.1", indent: 4, singleQuote: true }).replace(/\n$/, ""),
    (value) => stringify(value, { version: "1.1", collectionStyle: "flow" }),
    (value) => `# top\n---\n${stringify(value, { version: "1.1", defaultStringType: "QUOTE_SINGLE" })}---\nother: 1\n`,
    (value) => JSON.stringify(value, null, 2),
    (value) => JSON.stringify(value),
  ];
  for (let round = 0; round < 4_000; round += 1) {
    const before = [value(0)];
    const text = pick(writings)(before);
    const patch = [];
    let after = before;
    for (let count = 1 + random(3); count > 0; count -= 1) {
      patch.push(operation(after));
      after = patched(after, patch.slice(-1));
    }
    if (after === null) continue;
    const shown = JSON.stringify([text, patch]);
    const result = edited(text, patch);
    assert.ok(result !== undefined, shown);
    const [document, ...more] = parse(result);
    assert.deepEqual(JSON.parse(document.json), after, shown);
    assert.deepEqual(more.map(({ json }) => json), text.startsWith("# top") ? ['{"other":1}'] : [], shown);
  }
});

test("the items of a list are documents, and are edited at their place", () => {
  const text = [
    "apiVersion: v1",
    "kind: List",
    "items:",
    "- kind: Shoot",
    "  metadata: {name: one} # the first",
    "- kind: Secret",
    "  metadata: {name: two}",
    "---",
    "apiVersion: core.gardener.cloud/v1beta1",
    "kind: ShootList",
    "items:",
    "- metadata:",
    "    name: three",
    "- kind: Shoot",
    "  metadata: {name: four}",
    "---",
    "kind: Shoot",
    "metadata: {name: five}",
  ].join("\n");
  const documents = parse(text);
  const objects = documents.map(({ json }) => JSON.parse(json));
  assert.deepEqual(
    objects.map(({ apiVersion, kind, metadata }) => [apiVersion, kind, metadata.name]),
    [
      [undefined, "Shoot", "one"],
      [undefined, "Secret", "two"],
      ["core.gardener.cloud/v1beta1", "Shoot", "three"],
      ["core.gardener.cloud/v1beta1", "Shoot", "four"],
      [undefined, "Shoot", "five"],
    ],
  );
  for (const [index, name] of ["one", "two", "three", "four", "five"].entries()) {
    const { from, to } = documents[index].locate("/metadata/name");
    assert.equal(text.slice(from, to), name);
    const made = edits(text, [{ op: "replace", path: "/metadata/name", value: "other" }], { document: index });
    assert.equal(applyEdits(text, made), text.replace(name, "other"));
  }
  // A document ends where the next one begins, so that each place of the text is in one.
  assert.ok(documents.every(({ to }, index) => to <= (documents[index + 1]?.from ?? text.length)));
  assert.equal(documents.at(-1).to, text.length);
});

test("what is wrong with a list stands with the item around it, and a list without items is a document", () => {
  const twice = parse("kind: List\nitems:\n- kind: Shoot\n- {kind: Shoot, a: 1, a: 2}\n");
  assert.deepEqual(twice.map(({ problems }) => problems.length), [0, 1]);
  for (const text of ["kind: List\nitems: []", "kind: List", "kind: List\nitems: {}", "kind: Checklist\nparts: []"]) {
    assert.equal(parse(text).length, 1, text);
  }
  const within = parse("kind: List\nitems:\n- kind: List\n  items:\n  - kind: Shoot\n  - kind: Seed\n- kind: Secret\n");
  assert.deepEqual(within.map(({ json }) => JSON.parse(json).kind), ["Shoot", "Seed", "Secret"]);
});
