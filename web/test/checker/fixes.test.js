// Which findings get a fix: all that lead to a text without the finding, however many there are.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, test } from "node:test";
import { startChecker } from "trellis-policy/checker";

const checker = startChecker();
after(() => checker.close());

const example = (name) => readFile(new URL(`../../../examples/${name}.yaml`, import.meta.url), "utf8");
const [profile] = (await example("five-mistakes")).split(/^---\n/m);
const shoot = await example("two-zones");

const review = (input) => checker.review({ wait: true, context: profile, ...input });
const rulingOf = ({ documents: [document] }) => document.ruling;
const fixesOf = (review) => Object.fromEntries(rulingOf(review).findings.filter(({ isFixable }) => isFixable).map(({ rule, fix }) => [rule, fix[0].value]));

/** A Shoot with many pools, each with a machine type that is almost one of the profile. */
const pool = shoot.match(/    - name: worker-xoluy\n(?:      .*\n)+/)[0];
const many = (number) => shoot.replace(pool, Array.from({ length: number }, (_, at) => pool.replace("worker-xoluy", `p${at}`).replace("ecs.g7.large", "ecs.g7.larg")).join(""));

test("a review tries sixteen fixes of an object, and each further one of the same text sixteen more, until none is left", async () => {
  const text = many(40);
  const counts = [];
  for (;;) {
    const { findings, untried } = rulingOf(await review({ text }));
    counts.push([findings.filter(({ isFixable }) => isFixable).length, untried]);
    if (untried === undefined) break;
  }
  assert.deepEqual(counts, [[16, 24], [32, 8], [40, undefined]]);
  const other = rulingOf(await review({ text: `${text}# another text\n` }));
  assert.equal(other.untried, 24);
});

test("of the same text, another panel needs no new judgement, and the old object does", async () => {
  const plain = rulingOf(await review({ text: shoot }));
  assert.deepEqual(rulingOf(await review({ text: shoot, addresses: true })), plain);
  const edited = rulingOf(await review({ text: shoot, old: shoot.replace("cidr: 10.250.0.0/16", "cidr: 10.0.0.0/8") }));
  assert.notDeepEqual(edited.findings, plain.findings);
});

const G = shoot.replace("size: 50Gi", "size: 50G");
const SMALL = shoot.replace("size: 50Gi", "size: 10Gi");

test("the error about a value gets the fix that a warning at the same place has, on creation and on update", async () => {
  for (const old of ["", shoot, G]) assert.deepEqual(fixesOf(await review({ text: G, old })), { "GDN-WRK-042": "50Gi", "ALI-ADV-009": "50Gi" }, old);
});

test("a warning gets its fix on an update, unless that rolls nodes which the text leaves as they are", async () => {
  assert.deepEqual(fixesOf(await review({ text: SMALL, old: shoot })), { "ALI-ADV-009": "20Gi" });
  assert.deepEqual(fixesOf(await review({ text: SMALL, old: SMALL })), {});
});

test("what is immutable by now has no fix that a new object would have", async () => {
  const [, five] = (await example("five-mistakes")).split(/^---\n/m);
  assert.deepEqual(fixesOf(await review({ text: five })), { "ALI-INF-003": "10.250.0.0/19" });
  assert.deepEqual(fixesOf(await review({ text: five, old: five })), {});
});

test("a fix may come out of a reactive object, as pages with Vue have reviews", async () => {
  const text = shoot.replace("workers: 10.250.0.0/19", "workers: 10.250.1.0/19");
  const { fix } = rulingOf(await review({ text })).findings.find((finding) => finding.fix);
  const reactive = new Proxy(fix.map((operation) => new Proxy(operation, {})), {});
  assert.deepEqual(await checker.edits(text, 0, reactive), await checker.edits(text, 0, fix));
});
