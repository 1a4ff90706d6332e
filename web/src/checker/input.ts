/** What a checker is given: what is wrong with it, and what a worker is sent of it. */

import { isOfGardener } from "../check/kinds.js";
import { textAt } from "../check/objects.js";
import { targetOf } from "../check/upgrade.js";
import { LoadError, shown } from "../errors.js";
import { written } from "../policy.js";
import { wrongTimeout } from "../wait.js";
import { CheckError, type CheckInput, type CheckerOptions, type OtherProblem, type Review } from "./interface.js";
import { isTooLarge, leftOutIfUnread, ofOther, problem } from "./limits.js";
import type { GivenInput } from "./messages.js";

/** The members of an input, and their types. */
const MEMBERS: Record<keyof CheckInput, "string" | "boolean" | "object"> = {
  text: "string",
  old: "string",
  context: "string",
  provider: "string",
  gardenerVersion: "string",
  openapi: "string",
  kubernetes: "string",
  ratchet: "boolean",
  create: "boolean",
  defaults: "boolean",
  showDefaults: "boolean",
  addresses: "boolean",
  plans: "boolean",
  rollouts: "boolean",
  manifests: "boolean",
  applied: "string",
  onto: "object",
  wait: "boolean",
};

/** Refuses an input that is not what the types say. */
export function refuse(input: CheckInput): void {
  const malformed = (message: string) => new CheckError("Malformed", message);
  if (typeof input !== "object" || input === null) throw malformed(`the input is an object such as \`{ text }\`, not ${shown(input)}`);
  if (typeof input.text !== "string") throw malformed(`\`text\` is a text, not ${shown(input.text)}`);
  for (const [name, value] of Object.entries(input)) {
    if (!Object.hasOwn(MEMBERS, name)) throw malformed(`an input has no member \`${name}\`; there are ${Object.keys(MEMBERS).join(", ")}`);
    const wanted = MEMBERS[name as keyof CheckInput];
    if (value !== undefined && (typeof value !== wanted || value === null)) throw malformed(`\`${name}\` is ${wanted === "object" ? "an" : "a"} ${wanted}, not ${shown(value)}`);
  }
  const { onto } = input;
  if (onto !== undefined && (textAt(onto, "kind") !== "Shoot" || !isOfGardener(onto))) {
    const [version, kind] = ["apiVersion", "kind"].map((key) => textAt(onto, key) ?? "none");
    throw malformed(`\`onto\` is a Shoot of \`core.gardener.cloud/v1beta1\`, not an object of kind ${kind} and apiVersion ${version}`);
  }
  if (input.kubernetes !== undefined && targetOf(input.kubernetes) === undefined) {
    throw malformed(`\`kubernetes\` is a version such as \`1.35\` or \`1.35.2\`, not ${shown(input.kubernetes)}`);
  }
}

const NAMES = ["timeout", "worker", "onMore"];

/** Refuses options that are not what the types say. */
export function checkedOptions(options: CheckerOptions): CheckerOptions & { timeout: number } {
  if (typeof options !== "object" || options === null) {
    throw new LoadError(`the options are an object such as \`{ timeout: 5_000 }\`, not ${shown(options)}`);
  }
  for (const name of Object.keys(options)) {
    if (!NAMES.includes(name)) throw new LoadError(`there is no option \`${name}\`; there are ${NAMES.join(", ")}`);
  }
  const { timeout = 10_000, worker, onMore } = options;
  const wrong = wrongTimeout(timeout);
  if (wrong) throw new LoadError(wrong);
  if (worker !== undefined && typeof worker !== "function") {
    throw new LoadError(`\`worker\` is a function that makes a worker, not ${shown(worker)}`);
  }
  if (onMore !== undefined && typeof onMore !== "function") {
    throw new LoadError(`\`onMore\` is a function that is called when a review says more, not ${shown(onMore)}`);
  }
  return { timeout, worker, onMore };
}

/** The texts that go with the one that somebody edits: a worker is sent each once, as long as it stays the same. */
const LONG = ["old", "context", "applied", "openapi"] as const;

/** What a worker is sent of an input, as plain data, the long texts by name, and what is wrong with texts that it is not. */
export function withinLimits({ onto, ...input }: CheckInput) {
  const sent: GivenInput = { ...input };
  const texts: Record<string, string> = {};
  for (const name of LONG) {
    const text = input[name];
    delete sent[name];
    if (text === undefined) continue;
    if (!isTooLarge(text)) texts[name] = text;
    // A review says of the other two what is wrong with them.
    else if (name === "applied" || name === "openapi") throw new CheckError("Malformed", `\`${name}\` cannot be sent: ${problem().message}`);
  }
  const shoot = onto === undefined ? undefined : written(onto);
  if (typeof shoot === "object") throw new CheckError("Malformed", `\`onto\` cannot be sent: ${shoot.error.message}`);
  if (isTooLarge(shoot)) throw new CheckError("Malformed", `\`onto\` cannot be sent: ${problem().message}`);
  if (shoot !== undefined) texts["onto"] = shoot;
  return { sent, texts, old: unread(input.old), context: unread(input.context) };
}

function unread(text: string | undefined): OtherProblem[] {
  return isTooLarge(text) ? [leftOutIfUnread(ofOther(problem()))] : [];
}

/** What is said of a text that nobody reads. */
export function refused(text: string): Review["documents"][number] {
  return {
    from: 0,
    to: text.length,
    line: 1,
    head: { from: 0, to: 0 },
    isUpdate: false,
    problems: [problem()],
    skipped: { because: "unreadable", found: "" },
    secrets: [],
  };
}
