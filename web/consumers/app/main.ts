// What an application does with the package; the browser projects share it. `window.report` says how it went.

import { load, LoadError, providers, type Finding, type Policy, type ValidateAnswer } from "trellis-policy";
import { startChecker, type Review } from "trellis-policy/checker";
import { startWorker } from "trellis-policy/worker";
import type { Kinds } from "trellis-policy/schema";
import { EditorView } from "@codemirror/view";
import { editorHelp } from "./dashboard.js";
import { partHelp } from "./part.js";
import { review } from "./review.js";
import { reviewing } from "./reviewing.js";
import { largeShoot, shoot } from "./shoot.js";
import { countTurns } from "./turns.js";
import { workersHelp } from "./workers.js";

interface Report {
  providers: readonly string[];
  verdict: string;
  rules: string[];
  underlined: string | undefined;
  fixed: string | undefined;
  fromWorker: boolean;
  fromOwnWorker: boolean;
  defaulted: boolean;
  grafted: string | undefined;
  marked: string | null;
  permitted: { wrong: boolean; right: boolean };
  inPart: string | null;
  reviewed: (string | undefined)[];
  reviewedByOwn: boolean;
  unknown: boolean;
  violations: string[];
  largeVerdict: string;
  blockedTurns: number;
  freeTurns: number;
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

/** The first element of that kind, as soon as there is one. */
function appearing(parent: Element, selector: string): Promise<Element> {
  return new Promise((resolve) => {
    const look = () => {
      const found = parent.querySelector(selector);
      if (found === null) return;
      observer.disconnect();
      resolve(found);
    };
    const observer = new MutationObserver(look);
    observer.observe(parent, { childList: true, subtree: true, attributes: true });
    look();
  });
}

/** Whether a Shoot may be submitted, as the editor of its workers says. */
function permission(policy: Policy, object: ReturnType<typeof shoot>): Promise<boolean> {
  const doc = JSON.stringify(object.spec.provider.workers, undefined, 2);
  return new Promise((resolve) => {
    new EditorView({ doc, extensions: workersHelp(policy, () => object, resolve), parent: document.body });
  });
}

/** What is underlined in an editor that shows the networks of a Shoot alone. */
async function underlinedInPart(object: ReturnType<typeof shoot>): Promise<string | null> {
  const checker = startChecker();
  const part = { spec: { provider: { infrastructureConfig: object.spec.provider.infrastructureConfig } } };
  const extensions = partHelp(checker, () => object, "");
  const editor = new EditorView({ doc: JSON.stringify(part, undefined, 2), extensions, parent: document.body });
  const found = await appearing(editor.dom, ".cm-lintRange-error");
  checker.close();
  return found.textContent;
}

/** What a checker says of a text, shown in an editor. */
async function reviewed(text: string, options?: Parameters<typeof startChecker>[0]): Promise<Review> {
  const checker = startChecker(options);
  // A checker that fails says so here; the editor shows it to people. All rules are there then, however fast their modules come.
  await checker.review({ text, wait: true });
  return new Promise<Review>((resolve) => {
    new EditorView({ doc: text, extensions: reviewing(checker, "", resolve), parent: document.body });
  }).finally(() => checker.close());
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
  const [{ place, fixed = "" } = {}] = review(policy, text);
  const right: typeof object = JSON.parse(fixed);
  const zones = (right.spec.provider.infrastructureConfig as typeof config).networks?.zones;

  const helped = await editorHelp("alicloud");
  const shown = helped?.schema.properties?.["spec"]?.properties?.["provider"]?.properties?.["infrastructureConfig"];
  const editor = new EditorView({ doc: text, extensions: helped?.extension ?? [], parent: document.body });
  const marked = await appearing(editor.dom, ".cm-lintRange-error");

  const fromChecker = await reviewed(text);
  const fromOwnChecker = await reviewed(text, {
    worker: () => new Worker(new URL("./checker-worker.js", import.meta.url), { type: "module" }),
  });

  const large = { object: largeShoot(object) };
  await worker.info();
  const free = await countTurns(async () => judged(await worker.validate(large)));
  const blocked = await countTurns(async () => judged(policy.validate(large)));
  worker.close();

  return {
    providers,
    verdict: answer.verdict,
    rules: answer.findings.map(({ rule }: Finding) => rule),
    underlined: place && text.slice(place.from, place.to),
    fixed: zones?.[0]?.workers,
    fromWorker: JSON.stringify(fromWorker) === JSON.stringify(answer),
    fromOwnWorker: JSON.stringify(fromOwnWorker) === JSON.stringify(answer),
    defaulted: "patch" in defaults && defaults.patch.length > 0,
    grafted: shown?.title,
    marked: marked.textContent,
    permitted: { wrong: await permission(policy, object), right: await permission(policy, right) },
    inPart: await underlinedInPart(object),
    reviewed: fromChecker.documents.flatMap(({ ruling }) => ruling?.findings.map(({ rule }) => rule) ?? []),
    reviewedByOwn: JSON.stringify(fromOwnChecker.documents) === JSON.stringify(fromChecker.documents),
    unknown: await load({ provider: "nowhere" }).then(() => false, (error: unknown) => error instanceof LoadError),
    violations,
    largeVerdict: free.value.verdict,
    blockedTurns: blocked.turns,
    freeTurns: free.turns,
  };
}

window.report = run();
