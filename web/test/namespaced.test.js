// NamespacedCloudProfiles that Gardener has not merged with their parents yet.
import assert from "node:assert/strict";
import { test } from "node:test";
import { check, offeredSpec } from "trellis-policy";
import { startChecker } from "trellis-policy/checker";
import { mergedSpec } from "../dist/check/namespaced.js";
import { example } from "./examples.js";

const [parentCloudProfile, shoot] = await example("five-mistakes.yaml");
const machineType = { name: "ecs.own", cpu: "64", gpu: "0", memory: "1Ti", usable: true };
const namespaced = {
  apiVersion: "core.gardener.cloud/v1beta1",
  kind: "NamespacedCloudProfile",
  metadata: { name: "mine", namespace: shoot.metadata.namespace },
  spec: { parent: { kind: "CloudProfile", name: parentCloudProfile.metadata.name }, machineTypes: [machineType] },
};
const object = structuredClone(shoot);
delete object.spec.cloudProfileName;
object.spec.cloudProfile = { kind: "NamespacedCloudProfile", name: "mine" };
const withType = (type) => {
  const copy = structuredClone(object);
  copy.spec.provider.workers[0].machine.type = type;
  return copy;
};
const ofType = (findings) => findings.filter(({ pointer }) => pointer === "/spec/provider/workers/0/machine/type").map(({ source }) => source);
const isOpen = ({ undecided }) => undecided.some(({ rule }) => rule === "ADM-CP-001");

test("policies know what a profile without `status` offers together with its parent", async () => {
  const context = { cloudProfile: namespaced, parentCloudProfile };
  const [own, of, none] = await Promise.all(["ecs.own", shoot.spec.provider.workers[0].machine.type, "ecs.none"].map((type) => check({ object: withType(type), context })));
  assert.deepEqual([own, of, none].map(isOpen), [false, false, false]);
  assert.deepEqual([own, of, none].map(({ findings }) => ofType(findings)), [[], [], ["gardener"]]);
  assert.equal(isOpen(await check({ object: withType("ecs.own"), context: { cloudProfile: namespaced } })), true);
});

test("what a profile offers is its own, or that of its status, or what it and its parent offer together", () => {
  const status = { cloudProfileSpec: { type: "alicloud" } };
  assert.equal(offeredSpec(parentCloudProfile), parentCloudProfile.spec);
  assert.equal(offeredSpec({ ...namespaced, status }, parentCloudProfile), status.cloudProfileSpec);
  assert.deepEqual(offeredSpec(namespaced, parentCloudProfile), mergedSpec(parentCloudProfile.spec, namespaced.spec));
  assert.equal(offeredSpec(namespaced), undefined);
});

test("a `status` goes before what the package merges", async () => {
  const status = { cloudProfileSpec: parentCloudProfile.spec };
  const answer = await check({ object: withType("ecs.own"), context: { cloudProfile: { ...namespaced, status }, parentCloudProfile } });
  assert.deepEqual(ofType(answer.findings), ["gardener"]);
});

test("a parent that is another one's is an error of the call", async () => {
  const stranger = { ...parentCloudProfile, metadata: { name: "stranger" } };
  const { error } = await check({ object, context: { cloudProfile: namespaced, parentCloudProfile: stranger } });
  assert.equal(error.message, "`context.parentCloudProfile` is `stranger`, and the NamespacedCloudProfile in `context.cloudProfile` is built on `alicloud`");
});

test("a checker and a list merge alike, and machines are made of what both offer", async () => {
  const list = { apiVersion: "v1", kind: "List", items: [parentCloudProfile, namespaced, withType("ecs.none"), withType("ecs.own")] };
  const answer = await check({ object: list });
  assert.deepEqual(answer.findings.filter(({ pointer }) => pointer.endsWith("/machine/type")).map(({ pointer }) => pointer), ["/items/2/spec/provider/workers/0/machine/type"]);
  const checker = startChecker();
  try {
    const review = async (type) => {
      const text = JSON.stringify(withType(type));
      const context = [namespaced, parentCloudProfile].map((one) => JSON.stringify(one)).join("\n---\n");
      return (await checker.review({ text, context, wait: true })).documents[0];
    };
    const [own, none] = [await review("ecs.own"), await review("ecs.none")];
    assert.deepEqual([own, none].map(({ ruling }) => [isOpen(ruling), ofType(ruling.findings)]), [[false, []], [false, ["gardener"]]]);
  } finally {
    checker.close();
  }
});

const MERGES = [
  ["an entry of the profile takes the place of the parent's, and others are added", { machineTypes: [{ name: "a", cpu: "1", architecture: "arm64" }, { name: "b", architecture: "amd64" }] }, { machineTypes: [{ name: "a", cpu: "2", architecture: "arm64" }, { name: "c" }] }, {
    machineTypes: [{ name: "a", cpu: "2", architecture: "arm64" }, { name: "b", architecture: "amd64" }, { name: "c", architecture: "amd64" }],
  }],
  ["a version of Kubernetes gets another date, and none is added", { kubernetes: { versions: [{ version: "1.1.0", classification: "supported" }, { version: "1.2.0" }] } }, { kubernetes: { versions: [{ version: "1.1.0", expirationDate: "d" }, { version: "1.3.0", expirationDate: "d" }] } }, {
    kubernetes: { versions: [{ version: "1.1.0", classification: "supported", expirationDate: "d" }, { version: "1.2.0" }] },
  }],
  ["a date is the last stage of a life cycle, and a life cycle takes the place of all that was said before", { kubernetes: { versions: [{ version: "1.1.0", lifecycle: [{ classification: "supported" }] }, { version: "1.2.0", classification: "supported", expirationDate: "d" }] } }, { kubernetes: { versions: [{ version: "1.1.0", expirationDate: "d" }, { version: "1.2.0", lifecycle: [{ classification: "expired" }] }] } }, {
    kubernetes: { versions: [{ version: "1.1.0", lifecycle: [{ classification: "supported" }, { classification: "expired", startTime: "d" }] }, { version: "1.2.0", lifecycle: [{ classification: "expired" }] }] },
  }],
  ["an image keeps its versions, gets dates and more versions, and another strategy", { machineImages: [{ name: "i", updateStrategy: "major", versions: [{ version: "1.0.0", cri: [{ name: "containerd" }], architectures: ["amd64"] }] }] }, { machineImages: [{ name: "i", updateStrategy: "minor", versions: [{ version: "1.0.0", expirationDate: "d" }, { version: "2.0.0", architectures: ["arm64"] }] }] }, {
    machineImages: [{ name: "i", updateStrategy: "minor", versions: [{ version: "1.0.0", cri: [{ name: "containerd" }], architectures: ["amd64"], expirationDate: "d" }, { version: "2.0.0", architectures: ["arm64"] }] }],
  }],
  ["certificates follow each other, and a limit of the profile counts", { caBundle: "a\n", limits: { maxNodesTotal: 5, other: 1 } }, { caBundle: "b\n", limits: { maxNodesTotal: 7 } }, { caBundle: "a\nb\n", limits: { maxNodesTotal: 7, other: 1 } }],
  ["a limit of 0 is none", { limits: { maxNodesTotal: 5 } }, { limits: { maxNodesTotal: 0 } }, { limits: { maxNodesTotal: 5 } }],
  ["mappings of images are added to those of the parent, whose other settings stay", { providerConfig: { kind: "C", machineImages: [{ name: "i", versions: [{ version: "1" }] }], machineTypes: [{ name: "m", a: 1 }], regions: 3 } }, { providerConfig: { kind: "C", machineImages: [{ name: "i", versions: [{ version: "2" }] }, { name: "j", versions: [{ version: "1" }] }], machineTypes: [{ name: "m", a: 2 }, { name: "n" }], regions: 4 } }, {
    providerConfig: { kind: "C", machineImages: [{ name: "i", versions: [{ version: "1" }, { version: "2" }] }, { name: "j", versions: [{ version: "1" }] }], machineTypes: [{ name: "m", a: 1 }, { name: "n" }], regions: 3 },
  }],
  ["architectures are capabilities where the parent defines such", { machineCapabilities: [{ name: "architecture", values: ["amd64", "arm64"] }], machineTypes: [] }, { machineTypes: [{ name: "a", architecture: "arm64" }], machineImages: [{ name: "i", versions: [{ version: "1.0.0", architectures: ["amd64"] }, { version: "2.0.0" }] }] }, {
    machineCapabilities: [{ name: "architecture", values: ["amd64", "arm64"] }],
    machineTypes: [{ name: "a", architecture: "arm64", capabilities: { architecture: ["arm64"] } }],
    machineImages: [{ name: "i", versions: [{ version: "1.0.0", architectures: ["amd64"], capabilityFlavors: [{ architecture: ["amd64"] }] }, { version: "2.0.0", architectures: ["amd64", "arm64"] }] }],
  }],
  ["capabilities are architectures where the parent defines none", {}, { machineTypes: [{ name: "a", capabilities: { architecture: ["arm64"], other: ["x"] } }], machineImages: [{ name: "i", versions: [{ version: "1.0.0", capabilityFlavors: [{ architecture: ["arm64"] }] }] }] }, {
    machineTypes: [{ name: "a", architecture: "arm64" }],
    machineImages: [{ name: "i", versions: [{ version: "1.0.0", architectures: ["arm64"] }] }],
  }],
];

for (const [what, parent, own, expected] of MERGES) {
  test(what, () => {
    const before = structuredClone([parent, own]);
    assert.deepEqual(mergedSpec(parent, own), expected);
    assert.deepEqual([parent, own], before, "both stay as they are");
  });
}

test("what is of a wrong type is left out, and nothing throws", () => {
  for (const wrong of [5, "a", null, [5], [null], { name: 5 }]) {
    for (const key of ["kubernetes", "machineImages", "machineTypes", "volumeTypes", "caBundle", "limits", "providerConfig", "machineCapabilities"]) {
      assert.doesNotThrow(() => [mergedSpec({ [key]: wrong }, {}), mergedSpec({}, { [key]: wrong }), mergedSpec({ [key]: wrong }, { [key]: wrong })]);
    }
  }
});
