// Objects that were given answer the queries of a policy.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { startChecker } from "trellis-policy/checker";
import { judge, requestOf } from "../../dist/check/judge.js";
import { example } from "../examples.js";
import { shoot, whole } from "./texts.js";

const checker = whole(startChecker());
after(() => checker.close());

/** An object of a text. */
const given = (object) => ({ json: JSON.stringify(object), object });
const get = (id, apiVersion, kind, name) => ({
  rule: "KEY-1",
  why: `${kind} ${name} is not known`,
  query: {
    id,
    call: { service: "kubernetes", action: "get", parameters: { apiVersion, kind, namespace: "dev", name } },
    paging: "none",
  },
});

/** A policy that reads a binding, and then the Secret that the binding names. `requests` has what it is asked. */
function reading(requests) {
  const ask = (request) => {
    requests.push(JSON.parse(request));
    const { facts = [] } = requests.at(-1);
    const answer = (id) => facts.find(({ query }) => query === id)?.answer.response;
    const binding = answer("binding");
    const open = binding ? get("secret", "v1", "Secret", binding.secretRef.name) : get("binding", "g/v1", "Binding", "b");
    return binding && answer("secret") ? [] : [open];
  };
  return {
    default: (request) => ({ patch: [], changes: [], undecided: ask(request) }),
    validate: (request) => {
      const undecided = ask(request);
      return { verdict: undecided.length > 0 ? "undecided" : "accept", findings: [], undecided, scope: { checked: [], notChecked: [] } };
    },
  };
}

const binding = given({ apiVersion: "g/v1alpha1", kind: "Binding", metadata: { name: "b", namespace: "dev" }, secretRef: { name: "s" } });
const secret = given({ apiVersion: "v1", kind: "Secret", metadata: { name: "s", namespace: "dev" } });

/** A policy without rules, as it is asked. */
const asked = (policy, setsDefaults) => ({ source: "any", policy, rules: new Map(), setsDefaults });

async function ruling(others, { facts = [], defaults = true } = {}) {
  const requests = [];
  const judged = await judge([asked(reading(requests), defaults)], "{}", requestOf({}, { facts }), others);
  return { requests, ...judged.ruling };
}

test("an answer that leads to a further query is followed, and each query is answered once", async () => {
  const { requests, verdict, undecided } = await ruling([binding, secret]);
  assert.deepEqual({ verdict, undecided }, { verdict: "accept", undecided: [] });
  const facts = requests.map(({ facts = [] }) => facts.map(({ query }) => query));
  assert.deepEqual(facts, [[], ["binding"], ["binding", "secret"], ["binding", "secret"]]);
});

test("what no object answers stays undecided, with its query", async () => {
  const half = await ruling([binding], { defaults: false });
  assert.deepEqual([half.verdict, half.undecided.map(({ query }) => query.id)], ["undecided", ["secret"]]);
  const foreign = given({ ...binding.object, apiVersion: "other/v1alpha1" });
  assert.deepEqual((await ruling([foreign, secret])).undecided.map(({ query }) => query.id), ["binding"]);
  const { apiVersion: _, ...bare } = binding.object;
  assert.equal((await ruling([given(bare), secret])).verdict, "accept");
});

test("a fact of the caller goes before an object", async () => {
  const facts = [{ query: "binding", answer: { response: { secretRef: { name: "other" } } } }];
  const { requests, undecided } = await ruling([binding, secret], { facts, defaults: false });
  assert.deepEqual(undecided.map(({ why }) => why), ["Secret other is not known"]);
  assert.equal(requests.length, 1);
});

test("a policy that never has enough is not asked for ever", async () => {
  let count = 0;
  const validate = () => {
    count += 1;
    return { verdict: "undecided", findings: [], undecided: [get(`query ${count}`, "v1", "Secret", "s")], scope: { checked: [], notChecked: [] } };
  };
  const { ruling } = await judge([asked({ validate }, false)], "{}", requestOf({}), [secret]);
  assert.deepEqual([count, ruling.undecided.length], [9, 1]);
});

test("the Secret behind a binding is judged where it is in the text or in the context", async () => {
  const binding = `\
apiVersion: security.gardener.cloud/v1alpha1
kind: CredentialsBinding
metadata: { name: mine, namespace: garden-dev }
provider: { type: alicloud }
credentialsRef: { apiVersion: v1, kind: Secret, name: key, namespace: garden-dev }
`;
  const secret = `\
apiVersion: v1
kind: Secret
metadata: { name: key, namespace: garden-dev }
data: { accessKeyID: c2hvcnQ= }
`;
  const verdict = async (input) => (await checker.review(input)).documents[0].ruling.verdict;
  assert.equal(await verdict({ text: binding }), "undecided");
  assert.equal(await verdict({ text: binding, context: secret }), "reject");
  assert.equal(await verdict({ text: `${binding}---\n${secret}` }), "reject");
  const [{ ruling: ofShoot }] = (await checker.review({ text: `${shoot()}---\n${binding}` })).documents;
  assert.deepEqual(ofShoot.undecided.filter(({ source }) => source !== "gardener"), []);
});

test("the binding of a Shoot and its Project are looked at where they are in the text or in the context", async () => {
  const [cloudProfile] = await example("five-mistakes.yaml");
  const metadata = { name: "my-account", namespace: "garden-dev" };
  const binding = { apiVersion: "core.gardener.cloud/v1beta1", kind: "SecretBinding", metadata, provider: { type: "aws" } };
  const project = { apiVersion: "core.gardener.cloud/v1beta1", kind: "Project", metadata: { name: "ten-letters" }, spec: { namespace: "garden-dev" } };
  const text = (...objects) => [shoot(), ...objects.map((object) => JSON.stringify(object))].join("\n---\n");
  const found = async (input) => {
    const { findings } = (await checker.review(input)).documents[0].ruling;
    return findings.filter(({ severity }) => severity === "error").map(({ rule }) => rule).filter((rule) => /^ADM-PR/.test(rule)).sort();
  };
  assert.deepEqual(await found({ text: text(cloudProfile) }), []);
  assert.deepEqual(await found({ text: text(cloudProfile, binding, project) }), ["ADM-PRJ-002", "ADM-PROV-002"]);
  assert.deepEqual(await found({ text: text(cloudProfile), context: JSON.stringify(binding) }), ["ADM-PROV-002"]);
});
