// What a program or a test of Node does with the package; writes how it went as JSON.

import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { check, load, type Policy } from "trellis-policy";
import { startChecker } from "trellis-policy/checker";
import { startWorker } from "trellis-policy/worker";
import { formHelp } from "./answer.js";
import { messagesFor } from "./form.js";
import { controlPlane } from "./manifests.js";
import { machines, nodes } from "./nodes.js";
import { preview } from "./plan.js";
import { graft, schemas, type JsonSchema, type Schemas } from "trellis-policy/schema";

const object = { apiVersion: "core.gardener.cloud/v1beta1", kind: "Shoot", spec: { provider: { type: "alicloud" } } };

function verdict(answer: ReturnType<Policy["validate"]>): string {
  return "error" in answer ? answer.error.message : answer.verdict;
}

const policy = await load({ provider: "alicloud" });
const module = await readFile(fileURLToPath(import.meta.resolve("trellis-policy/equinixmetal.wasm")));
const fromBytes = await load({ provider: "equinixmetal", module });
const info = fromBytes.info();
const worker = await startWorker({ provider: "alicloud" });
const checker = startChecker();
const review = await checker.review({ text: JSON.stringify(object) });

// Gardener's schemas may have more than one type, and a provider not every kind.
const open: JsonSchema = { type: ["object", "null"] };
const isPartial: undefined extends Schemas[string] ? true : false = true;

const networks = { vpc: { cidr: "10.250.0.0/16" }, zones: [{ name: "eu-central-1a", workers: "10.250.0.0/19" }] };
const apiVersion = "alicloud.provider.extensions.gardener.cloud/v1alpha1";
const infrastructureConfig = { apiVersion, kind: "InfrastructureConfig", networks };
const metadata = { name: "planned", namespace: "garden-dev" };
const networking = { nodes: "10.250.0.0/16", pods: "10.96.0.0/11", services: "192.168.0.0/17" };
const spec = { region: "eu-central-1", networking, provider: { type: "alicloud", infrastructureConfig } };
const plan = preview({ ...object, metadata, spec }, { kind: "CloudProfile" });
const profile = { apiVersion: object.apiVersion, kind: "CloudProfile", metadata: { name: "alicloud" }, spec: { type: "alicloud", regions: [{ name: "cn-shanghai" }] } };
const controlPlaneConfig = { apiVersion, kind: "ControlPlaneConfig", cloudControllerManager: { featureGates: { WatchListClient: true } } };
const rendered = (provider: object) => ({ ...object, metadata, spec: { ...spec, kubernetes: { version: "1.33.2" }, provider } });
const made = controlPlane(rendered({ ...spec.provider, controlPlaneConfig }), { kind: "CloudProfile" }, rendered(spec.provider));
const image = { name: "gardenlinux", version: "1592.9.0" };
const pool = (type: string) => ({ name: "cpu", minimum: 1, maximum: 1, maxSurge: 1, machine: { type, image }, volume: { size: "50Gi", type: "cloud_essd" }, zones: ["eu-central-1a"] });
const [small, large] = ["ecs.g7.large", "ecs.g7.xlarge"].map((type) => rendered({ ...spec.provider, workers: [pool(type)] })) as [object, object];
const form = await formHelp({ ...object, metadata, spec: { ...spec, cloudProfile: { kind: "CloudProfile", name: "alicloud" } } }, profile);
const written = { ...object, metadata, spec: { ...spec, region: "mars-1", cloudProfile: { kind: "CloudProfile", name: "alicloud" } } };
const live = await messagesFor(checker, written, JSON.stringify(profile), { region: "/spec/region", name: "/metadata/name" });
const other = await check({ object: { ...object, metadata, spec: { provider: { type: "ironcore" } } } });
const isOfNetwork = (kind: string): boolean => ["SNAT entry", "VPC", "VSwitch"].includes(kind);

console.log(
  JSON.stringify({
    verdict: verdict(policy.validate({ object })),
    fromWorker: verdict(await worker.validate({ object })),
    fromChecker: review.documents[0]?.ruling?.verdict,
    fromBytes: "provider" in info ? info.provider : info.error.message,
    isPartial,
    form: {
      isFine: form.isFine,
      region: form.others.filter((line) => line.startsWith("spec.region")).length,
      other: "error" in other ? other.error.message : other.scope.notChecked[0],
    },
    live: Object.values(live).map((messages) => messages.length),
    left: graft(open, {}),
    kinds: Object.keys(await schemas("alicloud")),
    planned: plan?.changes.map(({ kind }) => kind).filter(isOfNetwork).sort(),
    rendered: made?.manifests.length,
    restarts: made?.restarts.map(({ kind, name }) => `${kind} ${name}`),
    nodes: (await nodes(large, small)).map(({ summary }) => summary),
    machines: machines(large, { kind: "CloudProfile" }, small)?.changes.map(({ state, kind }) => `${state} ${kind}`),
    imported: Object.keys(await import("trellis-policy")).sort(),
  }),
);
worker.close();
checker.close();
