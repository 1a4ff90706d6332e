// What is said of the texts next to the manifest: the old versions, and the objects that it refers to.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { startChecker } from "trellis-policy/checker";
import { applyEdits } from "trellis-policy/yaml";
import { exampleText, shoot, whole } from "./texts.js";

const started = startChecker();
after(() => started.close());
const checker = whole(started);

const [profile] = (await exampleText("five-mistakes")).split(/^---\n/m);
/** Reviews a Shoot next to a text, which is the old version or the context. */
const saidOf = async (member, text) => (await checker.review({ text: shoot(), [member]: text }))[member];

for (const [member, good] of [["old", shoot()], ["context", profile]]) {
  test(`a misspelt kind in \`${member}\` is said as in the manifest, with its fix, and its object is left out`, async () => {
    const kind = /^kind: (\w+)$/m.exec(good)[1];
    const text = good.replace(`kind: ${kind}`, `kind: ${kind.slice(0, -1)}`);
    const [said, ...rest] = await saidOf(member, text);
    const [{ ruling }] = (await checker.review({ text })).documents;
    const [{ detail, remedy, fix, range }] = ruling.findings;
    assert.deepEqual([rest, said.message, said.remedy, said.fix, said.from, said.isLeftOut], [[], detail, remedy, fix, range.from, true]);
    assert.equal(applyEdits(text, await checker.edits(text, said.document, said.fix)), good);
  });

  test(`an \`apiVersion\` in \`${member}\` that Gardener does not have is said with its fix, and its object counts`, async () => {
    for (const version of ["core.gardener.cloud/v1alpha1", "garden.sapcloud.io/v1beta1", "core.gardner.cloud/v1beta1"]) {
      const text = good.replace("core.gardener.cloud/v1beta1", version);
      const [said, ...rest] = await saidOf(member, text);
      assert.deepEqual([rest, text.slice(said.from, said.to), said.isLeftOut], [[], version, undefined]);
      assert.match(said.message, new RegExp(`has \`apiVersion: ${version}\`, and Gardener's kind has \`apiVersion: core\\.gardener\\.cloud/v1beta1\``));
      assert.equal(applyEdits(text, await checker.edits(text, said.document, said.fix)), good);
    }
  });

  test(`an object without a kind in \`${member}\` is said once, and is left out`, async () => {
    const said = await saidOf(member, good.replace(/^kind: .*\n/m, ""));
    assert.deepEqual(said.map(({ message, isLeftOut }) => [message, isLeftOut]), [["this document has no `kind`, so it is no Kubernetes object", true]]);
  });

  test(`objects of others in \`${member}\` are no problem`, async () => {
    assert.deepEqual(await saidOf(member, `${good}---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n---\napiVersion: example.com/v1\nkind: Shot\n`), []);
  });
}

test("what cannot be read and the second of two objects are left out, and a key that is twice is not", async () => {
  const other = shoot().replace("10.250.0.0/19", "10.250.32.0/19");
  const leftOut = async (text) => (await saidOf("old", text)).map(({ isLeftOut }) => isLeftOut);
  assert.deepEqual(await leftOut(`${shoot()}---\na: [`), [true]);
  assert.deepEqual(await leftOut(`${shoot()}---\n${other}`), [true]);
  assert.deepEqual(await leftOut(`${shoot()}kind: Shoot\n`), [undefined]);
  assert.deepEqual(await leftOut(shoot().replace("  region:", "  regoin:")), [undefined]);
  assert.deepEqual(await leftOut("a".repeat((3 << 20) + 1)), [true]);
});

test("a key of the context that no known one is near to is a warning there, as in the manifest, and none in an old version", async () => {
  const wrong = profile.replace("spec:\n", "spec:\n  somethingElse: 1\n");
  const [said, ...rest] = await saidOf("context", wrong);
  assert.deepEqual([rest, said.isWarning, said.rule, said.fix, wrong.slice(said.from, said.to)], [[], true, "DEC-2", undefined, "somethingElse"]);
  assert.match(said.message, /unknown field "spec\.somethingElse" in Gardener/);
  assert.deepEqual(await saidOf("old", shoot().replace("spec:\n", "spec:\n  somethingElse: 1\n")), []);
});

test("an old object of nothing is a problem where it may be meant for an object of the text, and none where it is gone", async () => {
  const surplus = async (text, old) => (await checker.review({ text, old })).old.map(({ message }) => message.replace(/^.* of /, ""));
  const [one, other] = [shoot("one"), shoot("other")];
  const stranger = profile.replace("name: alicloud", "name: stranger");
  assert.deepEqual(await surplus(one, `${one}---\n${other}---\n${stranger}`), []);
  assert.deepEqual(await surplus(one, `${other}---\n${stranger}`), ["Shoot `garden-dev/other`", "CloudProfile `stranger`"], "the old text is of no use");
  assert.deepEqual(await surplus(`${one}---\n${profile}`, `${other}---\n${profile}---\n${shoot("third")}`), ["Shoot `garden-dev/other`", "Shoot `garden-dev/third`"], "one of them may be renamed");
});
