import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { applyEdits, edits, embed, parse } from "trellis-policy/yaml";
import { parse as readYaml, stringify } from "yaml";
import { patched } from "./patch.js";

const CORPUS = new URL("../../../tests/corpus/", import.meta.url);
const read = (path) => readYaml(readFileSync(new URL(path, CORPUS), "utf8"));

/** The document of a name: of the file's own, or of the provider's. */
function base(provider, bases, name) {
  const document = bases?.[name] ?? read(`${provider}/bases/${name}.yaml`);
  return document.base ? patched(base(provider, bases, document.base), document.edits ?? []) : document;
}

/** Every patch that a policy gave in the corpus, with the object that it is for. tests/corpus/README.md has the format. */
function* patches() {
  for (const provider of readdirSync(CORPUS).filter((name) => !name.includes("."))) {
    for (const section of readdirSync(new URL(`${provider}/`, CORPUS)).filter((name) => name.endsWith(".yaml"))) {
      const { function: name, base: usual, bases, cases } = read(`${provider}/${section}`);
      if (!["validate", "default"].includes(name)) continue;
      for (const { name: title, base: own = usual, edits = [], text, request, expect } of cases) {
        const given = [expect.patch, ...(expect.findings ?? []).map(({ fix }) => fix)].filter((patch) => patch?.length);
        // A text says what an object cannot: duplicate members, the spelling of numbers.
        if (!given.length || text || request) continue;
        const object = patched(base(provider, bases, own), edits);
        for (const patch of given) yield { entry: `${provider}/${section}: ${title}`, patch, object };
      }
    }
  }
}

const cases = [...patches()];
const writings = {
  "YAML": (value) => stringify(value, { version: "1.1", lineWidth: 0 }),
  "YAML with indented lists, comments and CRLF": (value) =>
    stringify(value, { version: "1.1", lineWidth: 0, indentSeq: true, indent: 4 })
      .replace(/^(.*\S.*)$/gm, "$1 # said\n# between")
      .replaceAll("\n", "\r\n"),
  "YAML in brackets": (value) => stringify(value, { version: "1.1", collectionStyle: "flow" }),
  "JSON on many lines": (value) => JSON.stringify(value, null, 2),
  "JSON on one line": (value) => JSON.stringify(value),
};

test("there are fixes and defaults to try", () => {
  assert.ok(cases.length > 60, String(cases.length));
});

for (const [name, write] of Object.entries(writings)) {
  test(`every fix and every default can be made by edits of ${name}`, () => {
    for (const { entry, patch, object } of cases) {
      const text = write(object);
      const found = edits(text, patch);
      assert.ok(found, `${entry}: ${JSON.stringify(patch)}\n${text}`);
      const [document] = parse(applyEdits(text, found));
      assert.deepEqual(JSON.parse(document.json), patched(object, patch), entry);
      // The rest of the text is there still, but for what goes.
      const inserted = found.reduce((sum, { insert }) => sum + insert.length, 0);
      assert.ok(inserted <= JSON.stringify(patch, null, 8).length * 2, `${entry}: ${inserted}`);
      for (const [index, { from, to }] of found.entries()) {
        assert.ok(from <= to && from >= (found[index - 1]?.to ?? 0), entry);
      }
    }
  });
}

/** The value at an RFC 6901 pointer. */
const valueAt = (object, pointer) =>
  pointer.split("/").slice(1).reduce((value, key) => value?.[key.replaceAll("~1", "/").replaceAll("~0", "~")], object);

// What is taken out of an object goes with the comments inside.
const takesOut = (object, { op, path }) => op === "remove" || (op === "replace" && typeof valueAt(object, path) === "object");

test("comments outlive every fix and default", () => {
  const write = writings["YAML with indented lists, comments and CRLF"];
  for (const { entry, patch, object } of cases) {
    if (patch.some((operation) => takesOut(object, operation))) continue;
    const text = write(object);
    const count = (text, part) => text.split(part).length;
    const edited = applyEdits(text, edits(text, patch));
    assert.equal(count(edited, "# between"), count(text, "# between"), entry);
    assert.equal(count(edited, "\r\n"), count(edited, "\n"), entry);
  }
});

test("fixes within a fragment are made in the fragment", () => {
  const at = "/spec/provider";
  const within = cases.filter(({ patch, object }) => object.spec?.provider && patch.every(({ path }) => path.startsWith(`${at}/`)));
  assert.ok(within.length > 30, String(within.length));
  for (const { entry, patch, object } of within) {
    const text = writings.YAML(object.spec.provider);
    const [document] = parse(applyEdits(text, edits(text, patch, { at })), { at });
    const whole = embed(JSON.stringify(object), at, document.json);
    assert.deepEqual(JSON.parse(whole), patched(object, patch), entry);
  }
});
