// A fix that renames a key makes of a text what it makes of the object, and changes nothing but the key.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { applyEdits, edits, parse } from "trellis-policy/yaml";
import { parse as readYaml, stringify } from "yaml";

const EXAMPLES = new URL("../../../examples/", import.meta.url);
const texts = readdirSync(EXAMPLES)
  .filter((name) => name.endsWith(".yaml"))
  .map((name) => [name, readFileSync(new URL(name, EXAMPLES), "utf8")]);

const escaped = (key) => key.replaceAll("~", "~0").replaceAll("/", "~1");

/** Every member of an object: the pointer to its parent, and its key. */
function* members(value, pointer = "") {
  if (typeof value !== "object" || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    if (!Array.isArray(value)) yield { parent: pointer, key };
    yield* members(inner, `${pointer}/${escaped(key)}`);
  }
}

/** The value with another key in the same place: what the patch says, and the order besides. */
function renamed(value, { parent, key }, name, pointer = "") {
  if (typeof value !== "object" || value === null) return value;
  const inner = Object.entries(value).map(([own, part]) => [
    pointer === parent && own === key ? name : own,
    renamed(part, { parent, key }, name, `${pointer}/${escaped(own)}`),
  ]);
  return Array.isArray(value) ? inner.map(([, part]) => part) : Object.fromEntries(inner);
}

const NAMES = ["renamed", "with: colon", "it's", "a/b~c", "yes", "{x}", "12:30"];

/** Renames every member of every document of a text, each to the next of the names. */
function tryAll(name, text) {
  let tried = 0;
  for (const [number, { json }] of parse(text).entries()) {
    const object = JSON.parse(json);
    for (const member of members(object)) {
      const to = NAMES[tried % NAMES.length];
      const patch = [{ op: "move", from: `${member.parent}/${escaped(member.key)}`, path: `${member.parent}/${escaped(to)}` }];
      const found = edits(text, patch, { document: number });
      const place = `${name} ${JSON.stringify(patch)}`;
      assert.equal(found?.length, 1, place);
      const actual = parse(applyEdits(text, found))[number].json;
      assert.equal(JSON.stringify(JSON.parse(actual)), JSON.stringify(renamed(object, member, to)), place);
      const [{ from, to: end }] = found;
      assert.ok(text.slice(from, end).includes(member.key.slice(0, 1)) && end - from <= member.key.length + 2, place);
      tried += 1;
    }
  }
  return tried;
}

test("every key of every example can be renamed where it stands", () => {
  let tried = 0;
  for (const [name, text] of texts) tried += tryAll(name, text);
  assert.ok(tried > 500, String(tried));
});

const writings = {
  "CRLF, comments and wide steps": (value) =>
    stringify(value, { indent: 4 }).replace(/^(.*\S.*)$/gm, "$1 # said\n# between").replaceAll("\n", "\r\n"),
  "YAML in brackets": (value) => stringify(value, { collectionStyle: "flow" }),
  "quoted keys": (value) => stringify(value, { defaultKeyType: "QUOTE_SINGLE" }),
  "JSON on many lines": (value) => JSON.stringify(value, null, 2),
  "JSON on one line": (value) => JSON.stringify(value),
};

for (const [name, write] of Object.entries(writings)) {
  test(`every key can be renamed in ${name}`, () => {
    const [, text] = texts.find(([file]) => file === "five-mistakes.yaml");
    assert.ok(tryAll(name, write(readYaml(text.split(/^---$/m).at(-1)))) > 40);
  });
}
