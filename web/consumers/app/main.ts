// What an application does with the package; the browser projects share it. `window.report` says how it went.

import { load, LoadError, providers, type Finding, type Policy, type ValidateAnswer } from "trellis-policy";
import { startWorker } from "trellis-policy/worker";
import { parse } from "trellis-policy/yaml";
import type { JsonSchema, Kinds } from "trellis-policy/schema";
import { help } from "./dashboard.js";
import { gaps, type Gaps } from "./gaps.js";
import { largeShoot, shoot } from "./shoot.js";

interface Report {
  providers: readonly string[];
  verdict: string;
  rules: string[];
  underlined: string | undefined;
  fromWorker: boolean;
  fromOwnWorker: boolean;
  defaulted: boolean;
  grafted: string | undefined;
  checked: boolean;
  unknown: boolean;
  violations: string[];
  largeVerdict: string;
  blocked: Gaps;
  free: Gaps;
}

declare global {
  interface Window {
    report: Promise<Report>;
  }
}

const violations: string[] = [];
document.addEventListener("securitypolicyviolation", (event) => violations.push(event.violatedDirective));

function judged(answer: ReturnType<Policy["validate"]>): ValidateAnswer {
  if ("error" in answer) throw new Error(answer.error.message);
  return answer;
}

async function run(): Promise<Report> {
  const policy = await load({ provider: "alicloud" });
  const worker = await startWorker({ provider: "alicloud", timeout: 60_000 });

  const config: Kinds["alicloud"]["InfrastructureConfig"] = {
    apiVersion: "alicloud.provider.extensions.gardener.cloud/v1alpha1",
    kind: "InfrastructureConfig",
    networks: { vpc: { cidr: "10.250.0.0/16" }, zones: [{ name: "eu-central-1a", workers: "10.250.0.1/19" }] },
  };
  const object = shoot(config);
  const answer = judged(policy.validate({ object, context: { cloudProfile: undefined } }));
  const fromWorker = judged(await worker.validate({ object }));
  const own = await startWorker({
    provider: "alicloud",
    worker: () => new Worker(new URL("./policy-worker.js", import.meta.url), { type: "module" }),
  });
  const fromOwnWorker = judged(await own.validate({ object }));
  own.close();
  const defaults = policy.default({ object });

  const text = JSON.stringify(object, undefined, 2);
  const place = parse(text)[0]?.locate(answer.findings[0]?.pointer ?? "");

  const open: JsonSchema = { type: "object" };
  const provider: JsonSchema = { type: "object", properties: { infrastructureConfig: open, controlPlaneConfig: open } };
  const spec: JsonSchema = { type: "object", properties: { provider } };
  const helped = await help("alicloud", { type: "object", properties: { spec } });
  const shown = helped?.schema.properties?.["spec"]?.properties?.["provider"]?.properties?.["infrastructureConfig"];

  const large = { object: largeShoot(object) };
  await worker.info();
  const free = await gaps(async () => judged(await worker.validate(large)));
  const blocked = await gaps(async () => judged(policy.validate(large)));
  worker.close();

  return {
    providers,
    verdict: answer.verdict,
    rules: answer.findings.map(({ rule }: Finding) => rule),
    underlined: place && text.slice(place.from, place.to),
    fromWorker: JSON.stringify(fromWorker) === JSON.stringify(answer),
    fromOwnWorker: JSON.stringify(fromOwnWorker) === JSON.stringify(answer),
    defaulted: "patch" in defaults && defaults.patch.length > 0,
    grafted: shown?.title,
    checked: JSON.stringify(helped?.check(object)) === JSON.stringify(answer),
    unknown: await load({ provider: "nowhere" }).then(() => false, (error: unknown) => error instanceof LoadError),
    violations,
    largeVerdict: free.value.verdict,
    blocked: blocked.gaps,
    free: free.gaps,
  };
}

window.report = run();
