// Keys that are misspelt in the texts that a manifest is compared with or refers to.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, test } from "node:test";
import { applyEdits } from "trellis-policy/yaml";
import { startChecker } from "trellis-policy/checker";

const checker = startChecker();
after(() => checker.close());

const example = (name) => readFile(new URL(`../../../examples/${name}.yaml`, import.meta.url), "utf8");
const [profile] = (await example("five-mistakes")).split(/^---\n/m);
const shoot = await example("two-zones");

const review = (input) => checker.review({ wait: true, ...input });
const findingsOf = ({ documents }) => documents.flatMap(({ ruling }) => ruling.findings);

test("a misspelt key of a profile in the context is a problem at its place, with its fix, and what follows from it says so", async () => {
  const context = profile.replace("machineTypes:", "machineTypess:");
  const found = await review({ text: shoot, context });
  const [problem, ...more] = found.context;
  assert.deepEqual(more, []);
  const line = context.slice(0, problem.from).split("\n").length;
  assert.equal(context.slice(problem.from, problem.to), "machineTypess");
  assert.deepEqual([problem.rule, problem.message, problem.remedy, problem.line], ["DEC-2", 'unknown field "spec.machineTypess"', "Did you mean `machineTypes`?", line]);
  const [finding] = findingsOf(found);
  assert.equal(finding.rule, "ADM-MACH-010");
  assert.equal(finding.remedy, `Rename \`machineTypess\` to \`machineTypes\` in line ${line} of the context: this follows from it.`);
  const edits = await checker.edits(context, problem.document, problem.fix);
  assert.equal(applyEdits(context, edits), profile);
});

test("a key of a provider's configuration that is misspelt in the old version is reported there", async () => {
  const old = shoot.replace("      networks:", "      networkz:");
  const found = await review({ text: shoot, old, context: profile });
  assert.equal(found.old.length, 1);
  assert.equal(found.old[0].message, "`spec.provider.infrastructureConfig.networkz`: unknown field");
  const [finding] = findingsOf(found);
  assert.match(finding.remedy, /^Rename `networkz` to `networks` in line \d+ of the old version: this follows from it\.$/);
});

test("what is wrong with the manifest itself keeps its own remedy", async () => {
  const context = profile.replace("machineTypes:", "machineTypess:");
  const found = await review({ text: shoot.replace("pods: 10.96.0.0/11", "pods: 10.250.0.0/16"), context });
  const overlap = findingsOf(found).filter(({ pointer }) => pointer === "/spec/networking/pods");
  assert.ok(overlap.length > 0);
  assert.ok(overlap.every(({ remedy }) => !remedy.includes("follows from")));
});

test("a field that a newer Gardener may have is a warning of the context, from which nothing follows", async () => {
  const context = profile.replace("  machineTypes:", "  qwertz: 1\n  machineTypes:");
  const found = await review({ text: shoot, context });
  const [{ message, isWarning }, ...others] = found.context;
  assert.match(message, /^unknown field "spec\.qwertz" in Gardener 1\.\d+; a newer one may have it$/);
  assert.deepEqual([isWarning, others], [true, []]);
  assert.deepEqual(findingsOf(found), findingsOf(await review({ text: shoot, context: profile })));
  assert.deepEqual((await review({ text: shoot, context: profile })).context, []);
});

test("each of two misspelt keys is named by what follows from it", async () => {
  const context = profile.replace("machineTypes:", "machineTypess:").replace("  volumeTypes:", "  volumeTypez:");
  const found = await review({ text: shoot, context });
  assert.equal(found.context.length, 2);
  const remedies = findingsOf(found).map(({ pointer, remedy }) => [pointer, remedy.split(" to ")[0]]);
  assert.deepEqual(Object.fromEntries(remedies), {
    "/spec/provider/workers/0/machine/type": "Rename `machineTypess`",
    "/spec/provider/workers/0/volume/type": "Rename `volumeTypez`",
  });
});
