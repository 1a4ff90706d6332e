// A page with two versions of the package; `window.report` says what each of them answers.

import { choose, release } from "trellis-policy/versions";
import { release as older } from "trellis-policy-older/versions";
import { predict } from "./predict.js";

interface Report {
  /** By version: what the policy, a worker, a checker and the one answer of that version say. */
  answers: Record<string, string[]>;
  predicted: string[][];
  refused: string;
  violations: string[];
}

declare global {
  interface Window {
    report: Promise<Report>;
  }
}

const violations: string[] = [];
document.addEventListener("securitypolicyviolation", (event) => violations.push(event.violatedDirective));

const networks = { vpc: { cidr: "10.250.0.0/16" }, zones: [{ name: "eu-central-1a", workers: "10.250.0.1/19" }] };
const infrastructureConfig = { apiVersion: "alicloud.provider.extensions.gardener.cloud/v1alpha1", kind: "InfrastructureConfig", networks };
const workers = [
  {
    name: "worker",
    machine: { type: "ecs.sn2ne.large", image: { name: "coreos", version: "2023.5.0" } },
    minimum: 1,
    maximum: 2,
    volume: { size: "50Gi", type: "cloud_efficiency" },
    zones: ["eu-central-1a"],
  },
];
const networking = { type: "calico", nodes: "10.250.0.0/16", pods: "172.16.0.0/16", services: "172.17.0.0/20" };
const shoot = {
  apiVersion: "core.gardener.cloud/v1beta1",
  kind: "Shoot",
  metadata: { name: "crazy-botany", namespace: "garden-dev" },
  spec: { cloudProfileName: "alicloud", region: "eu-central-1", networking, provider: { type: "alicloud", infrastructureConfig, workers } },
};

const data = (version: string, mode = "enforce") => ({ provider: "alicloud", version, parity: "v1.72.0-dev", mode });

async function answersOf(version: string): Promise<string[]> {
  const { load, startWorker, startChecker, release: chosen } = choose(data(version), [release, older]);
  const policy = await load();
  const info = policy.info();
  const worker = await startWorker({ timeout: 60_000 });
  const fromWorker = await worker.info();
  const checker = await startChecker({ timeout: 60_000 });
  const review = await checker.review({ text: JSON.stringify(shoot) });
  worker.close();
  checker.close();
  const { check } = await chosen.code();
  const answer = await check({ object: shoot });
  const versions = [info, fromWorker].map((info) => ("error" in info ? info.error.message : info.version));
  const rules = review.documents[0]?.ruling?.findings.flatMap(({ rule }) => rule ?? []) ?? [];
  return [...versions, ...rules, "error" in answer ? answer.error.message : answer.verdict];
}

async function run(): Promise<Report> {
  const versions = [release.version, older.version];
  return {
    answers: Object.fromEntries(await Promise.all(versions.map(async (version) => [version, await answersOf(version)]))),
    predicted: [await predict(data(release.version), shoot), await predict(data("7.0.0", "warn"), shoot)],
    refused: await answersOf("7.0.0").then(() => "nothing", (error: unknown) => String(error)),
    violations,
  };
}

window.report = run();
