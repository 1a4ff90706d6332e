// What follows from a mistake of a CloudProfile of the same text is said at the profile alone.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { startChecker } from "trellis-policy/checker";
import { exampleText, whole } from "./texts.js";

const started = startChecker();
after(() => started.close());
const checker = whole(started);

/** The errors of each document that follow from no other finding, by rule. */
async function errorsOf(text) {
  const { documents } = await checker.review({ text });
  const isOpen = ({ severity, causedBy }) => severity === "error" && causedBy === undefined;
  return documents.map(({ ruling, leftTo }) => ({ verdict: ruling.verdict, rules: ruling.findings.filter(isOpen).map(({ rule }) => rule), leftTo }));
}

const both = `${await exampleText("two-zones")}---\n${await exampleText("cloudprofile-regions")}`;
const change = (text, [right, wrong]) => {
  assert.ok(text.includes(right), right);
  return text.replace(right, wrong);
};

const MISTAKES = {
  "a machine type without a name": [["  - name: ecs.g7.large\n", '  - name: ""\n'], "GDN-CPR-071"],
  "a region of a wrong type": [["  - name: eu-central-1\n", "  - name: []\n"], "DEC-4"],
  "no zones where a list is expected": [["    zones:\n    - name: eu-central-1a\n", "    zones:\n    - name:\n"], "GDN-CPR-092"],
  "a misspelt key": [["  machineImages:\n  - name: gardenlinux", "  machineImage:\n  - name: gardenlinux"], "DEC-2"],
};
for (const [what, [mistake, rule]] of Object.entries(MISTAKES)) {
  test(`${what} in a CloudProfile is one error, and the Shoot is rejected for it`, async () => {
    const [shoot, profile] = await errorsOf(change(both, mistake));
    assert.deepEqual(profile, { verdict: "reject", rules: [rule], leftTo: undefined });
    assert.deepEqual(shoot, { verdict: "reject", rules: [], leftTo: "CloudProfile alicloud" });
  });
}

test("a mistake of a Shoot stays where another part of its profile has an error", async () => {
  const text = change(both, ["  - name: cloud_essd\n", '  - name: ""\n']);
  const [shoot, profile] = await errorsOf(change(text, ["          name: gardenlinux\n", "          name: ubunto\n"]));
  assert.deepEqual([profile.rules, shoot.rules], [["GDN-CPR-085"], ["ADM-MACH-020"]]);
});

test("a NamespacedCloudProfile is rejected for what is wrong with its parent", async () => {
  const text = change(await exampleText("aws-namespaced-cloudprofile"), ["  - name: m5.large\n", '  - name: ""\n']);
  const [own, parent] = await errorsOf(text);
  assert.deepEqual([parent.rules, own], [["GDN-CPR-071"], { verdict: "reject", rules: [], leftTo: "CloudProfile aws" }]);
});
