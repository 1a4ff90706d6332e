import assert from "node:assert/strict";
import { test } from "node:test";
import { absent } from "../dist/absent.js";
import { explainer } from "../dist/words.js";

const rules = [{ id: "ALI-1", kinds: ["Shoot"], operation: "both", effect: "validate", severity: "error", informative: true }];
const words = { "ALI-1": { summary: "s", why: "w", fix: "f", informative: "nothing can break it" } };

const file = () => new URL("file:///alicloud.rules.json");

/** Explains the rules by a file with this content, and counts how often the file is read. */
function explaining(...contents) {
  const reads = [];
  const explain = explainer(file, async (url) => {
    reads.push(url);
    const content = contents[Math.min(reads.length, contents.length) - 1];
    if (content instanceof Error) throw content;
    return content instanceof Response ? content.clone() : new TextEncoder().encode(content);
  });
  return { reads, explain: () => explain({ rules }) };
}

test("rules have the words of the file, which is read once", async () => {
  for (const content of [JSON.stringify(words), Response.json(words)]) {
    const { explain, reads } = explaining(content);
    assert.deepEqual(await explain(), { rules: [{ ...rules[0], ...words["ALI-1"] }] });
    await explain();
    assert.equal(reads.length, 1);
    assert.match(reads[0].href, /alicloud\.rules\.json$/);
  }
});

test("a file that cannot be used is an error that names the file, and is read again", async () => {
  const unusable = [new Error("gone"), "{", "{}", new Response("", { status: 404 }), Response.json({})];
  for (const content of unusable) {
    const { explain } = explaining(content, JSON.stringify(words));
    const { error } = await explain();
    assert.equal(error.code, "WordsUnavailable");
    assert.match(error.message, /alicloud\.rules\.json/);
    assert.equal((await explain()).rules.length, 1);
  }
});

test("a package without words answers with the package that has them", async () => {
  const { error } = await explainer(() => absent("aws.rules.json", "half", "whole"), () => assert.fail("nothing is to be read"))({ rules });
  assert.equal(error.code, "NotPackaged");
  assert.match(error.message, /^aws\.rules\.json is in the package `whole`, and not in `half`.* install `whole`/);
});

test("an answer that is an error stays as it is", async () => {
  const error = { error: { code: "PolicyTrapped", message: "it trapped" } };
  assert.deepEqual(await explainer(file, () => assert.fail("nothing is to be read"))(error), error);
});
