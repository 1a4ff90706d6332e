// What an edit does to nodes, which not every policy reports.
import assert from "node:assert/strict";
import { test } from "node:test";
import { load, loadAddresses } from "trellis-policy";
import { serve } from "../../dist/checker/serve.js";
import { shoot } from "./texts.js";

const policies = { alicloud: await load({ provider: "alicloud" }), openstack: await load({ provider: "openstack" }) };
const addresses = { alicloud: await loadAddresses({ provider: "alicloud" }), openstack: await loadAddresses({ provider: "openstack" }) };
const loaded = [];

/** What a worker answers whose policies answer about nodes with what `answer` makes of a request. */
async function review(input, answer) {
  const messages = [];
  const loadAddressing = async ({ provider }) => {
    loaded.push(provider);
    if (answer instanceof Error) throw answer;
    return { ...addresses[provider], ...(answer && { rollout: answer }) };
  };
  const fail = () => assert.fail("nobody asks for it");
  const loadGardener = () => Promise.reject(new Error("nobody waits for it"));
  const loaders = { load: async ({ provider }) => policies[provider], loadAddresses: loadAddressing, loadGardener, loadInfrastructure: fail, loadRendering: fail };
  await serve(loaders, (message) => messages.push(message))({ task: "review", arguments: [{ rollouts: true, ...input }] });
  return messages.find((message) => "answer" in message).answer.documents[0];
}

const edited = () => shoot().replace("ecs.sn2ne.large", "ecs.sn2ne.xlarge");
const changes = ({ rollout }) => rollout.pools.map(({ name, change }) => `${name} ${change}`);

test("the same Shoot before and after leaves all nodes as they are, whatever only new ones get by default", async () => {
  for (const earlier of ["old", "applied"]) {
    const document = await review({ text: shoot(), [earlier]: shoot() });
    assert.deepEqual([document.rollout.baseline, changes(document)], [earlier, ["worker unchanged"]]);
  }
});

test("an edit is compared with the old object, else with the one that was applied", async () => {
  const document = await review({ text: edited(), old: shoot(), applied: edited() });
  assert.deepEqual(changes(document), ["worker rolled"]);
  assert.equal(document.rollout.pools[0].summary, "1 to 2 nodes of pool `worker` roll, 1 at a time, because `machine.type` changes");
  assert.deepEqual(changes(await review({ text: edited(), applied: shoot() })), ["worker rolled"]);
  assert.equal((await review({ text: edited(), old: shoot("other") })).rollout, undefined);
});

test("each zone has its share of the nodes; of a Shoot that sleeps none has any", async () => {
  const zones = (text, minimum, maximum) => text.replace("minimum: 1", `minimum: ${minimum}`).replace("maximum: 2", `maximum: ${maximum}`);
  const wide = (text) => `${text}      - eu-central-1b\n`.replace("          workers: 10.250.0.0/19\n", "$&        - name: eu-central-1b\n          workers: 10.250.32.0/19\n");
  const { rollout } = await review({ text: zones(wide(edited()), 3, 5), old: zones(shoot(), 2, 2) });
  assert.deepEqual(rollout.pools[0].zones, [
    { name: "eu-central-1a", before: { minimum: 2, maximum: 2 }, after: { minimum: 2, maximum: 3 } },
    { name: "eu-central-1b", after: { minimum: 1, maximum: 2 } },
  ]);
  const asleep = (text) => text.replace("  networking:\n", "  hibernation:\n    enabled: true\n$&");
  const sleeping = (await review({ text: asleep(edited()), old: asleep(shoot()) })).rollout;
  assert.deepEqual([sleeping.hibernation, sleeping.pools[0].zones], ["sleeps", undefined]);
  assert.match(sleeping.pools[0].summary, /when the Shoot wakes up/);
  const [falls, wakes] = [(await review({ text: asleep(shoot()), old: shoot() })).rollout, (await review({ text: shoot(), old: asleep(shoot()) })).rollout];
  const [some, none] = [{ minimum: 1, maximum: 2 }, { minimum: 0, maximum: 0 }];
  assert.deepEqual([falls.hibernation, falls.pools[0].zones], ["fallsAsleep", [{ name: "eu-central-1a", before: some, after: none }]]);
  assert.deepEqual([wakes.hibernation, wakes.pools[0].zones], ["wakesUp", [{ name: "eu-central-1a", before: none, after: some }]]);
});

test("the module that shows what happens to nodes is loaded where there is an edit, and not before", async () => {
  loaded.length = 0;
  assert.equal((await review({ text: shoot() })).rollout, undefined);
  assert.equal((await review({ text: edited(), old: shoot(), rollouts: false })).rollout, undefined);
  assert.deepEqual(loaded, []);
  const { addresses } = await review({ text: edited(), old: shoot() });
  assert.deepEqual([loaded, addresses], [["alicloud"], undefined]);
});

test("a Shoot that is rejected, and a text with problems, have no nodes to report", async () => {
  const rejected = await review({ text: edited().replace("10.250.0.0/19", "10.250.1.0/19"), old: shoot() });
  assert.deepEqual([rejected.ruling.verdict, rejected.rollout], ["reject", undefined]);
  assert.equal((await review({ text: `${edited()}spec: {}\n`, old: shoot() })).rollout, undefined);
});

test("a provider that does not report nodes shows nothing; a module that is lost and a policy that fails are reported", async () => {
  const other = (text) => text.replaceAll("alicloud", "openstack");
  assert.equal((await review({ text: other(shoot()), old: other(shoot()) })).rollout, undefined);
  const missing = () => ({ error: { code: "UnknownFunction", message: "there is none" } });
  assert.equal((await review({ text: edited(), old: shoot() }, missing)).rollout, undefined);
  const lost = await review({ text: edited(), old: shoot() }, new Error("no network"));
  assert.deepEqual(lost.rollout, { baseline: "old", undecided: [], error: { code: "PolicyUnavailable", message: "no network" } });
  assert.equal(lost.ruling.verdict, "accept");
  const error = { code: "PolicyTrapped", message: "crashed" };
  assert.deepEqual((await review({ text: edited(), old: shoot() }, () => ({ error }))).rollout.error, error);
});
