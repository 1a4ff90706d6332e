/** The page's side of a checker. */

import { targetOf } from "../check/upgrade.js";
import { LoadError, reason, shown } from "../errors.js";
import { MAX_BYTES, type Problem, tooLarge } from "../yaml/problem.js";
import type { CallOptions, WorkerLike } from "../worker/interface.js";
import { unlessAborted, wrongCall, wrongTimeout } from "../wait.js";
import { CheckError, type CheckInput, type Checker, type CheckerOptions, type Review } from "./interface.js";
import type { Tasks, ToThread } from "./messages.js";
import { CheckerThread } from "./thread.js";

/** A checker whose worker is made when it is first asked. */
export function start(options: CheckerOptions, makeWorker: () => WorkerLike): Checker {
  const { timeout, worker, onMore } = checkedOptions(options);
  let thread: CheckerThread | undefined;
  let closed = false;
  let last: Promise<unknown> = Promise.resolve();
  /** Those who have a review that did not wait for Gardener's own rules. */
  const waiting = new Set<() => void>();
  const more = (): void => {
    if (closed) return;
    const told = [...waiting];
    waiting.clear();
    for (const tell of [...(onMore ? [onMore] : []), ...told]) tell();
  };

  const run = async (message: ToThread): Promise<unknown> => {
    if (closed) throw new CheckError("WorkerFailed", "the checker was closed");
    try {
      if (!thread || thread.ended) thread = new CheckerThread((worker ?? makeWorker)(), timeout, more);
    } catch (thrown) {
      throw new CheckError("WorkerFailed", `the worker cannot be made: ${reason(thrown)}`);
    }
    return thread.ask(message);
  };

  const ask = <Name extends keyof Tasks>(
    task: Name,
    given: Parameters<Tasks[Name]>,
    options?: CallOptions,
  ): ReturnType<Tasks[Name]> => {
    const wrong = wrongCall(options);
    if (wrong) return Promise.reject(new CheckError("Malformed", wrong)) as ReturnType<Tasks[Name]>;
    const signal = options?.signal;
    const answer = last.then(() => (signal?.aborted ? undefined : run({ task, arguments: given })));
    last = answer.catch(() => undefined);
    return unlessAborted(signal, answer) as ReturnType<Tasks[Name]>;
  };

  return {
    async review(input, call = {}) {
      refuse(input);
      const wrong = wrongCall(call, ["onMore"]);
      if (wrong) throw new CheckError("Malformed", wrong);
      const { onMore: tell, ...options } = call;
      if (tell !== undefined && typeof tell !== "function") {
        throw new CheckError("Malformed", `\`onMore\` is a function that is told when a review says more, not ${shown(tell)}`);
      }
      const { sent, old, context } = withinLimits(input);
      if (isTooLarge(input.text)) {
        return { documents: [refused(input.text)], old, context, oldSecrets: [], contextSecrets: [], contextProfiles: [] };
      }
      const review = await ask("review", [sent], options);
      if (tell && review.documents.some(({ isPreliminary }) => isPreliminary)) waiting.add(tell);
      return { ...review, old: [...old, ...review.old], context: [...context, ...review.context] };
    },
    async edits(text, document, patch, options) {
      refuse({ text });
      return isTooLarge(text) ? undefined : ask("edits", [text, document, patch], options);
    },
    async locate(text, document, pointer, options) {
      refuse({ text });
      return isTooLarge(text) ? undefined : ask("locate", [text, document, pointer], options);
    },
    async zones(input, document, add, options) {
      refuse(input);
      if (isTooLarge(input.text)) return { error: { code: "TooLarge", message: problem().message } };
      return ask("zones", [withinLimits(input).sent, document, add], options);
    },
    async objects(input, document, options) {
      refuse(input);
      return isTooLarge(input.text) ? [] : ask("objects", [withinLimits(input).sent, document], options);
    },
    async choices(input, place, options) {
      refuse(input);
      return isTooLarge(input.text) ? [] : ask("choices", [withinLimits(input).sent, place], options);
    },
    rules: (provider, options) => ask("rules", [provider], options),
    close() {
      closed = true;
      thread?.fail("the checker was closed");
    },
  };
}

/** The members of an input, and their types. */
const MEMBERS: Record<keyof CheckInput, "string" | "boolean"> = {
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
  wait: "boolean",
};

/** Refuses an input that is not what the types say. */
function refuse(input: CheckInput): void {
  const malformed = (message: string) => new CheckError("Malformed", message);
  if (typeof input !== "object" || input === null) throw malformed(`the input is an object such as \`{ text }\`, not ${shown(input)}`);
  if (typeof input.text !== "string") throw malformed(`\`text\` is a text, not ${shown(input.text)}`);
  for (const [name, value] of Object.entries(input)) {
    if (!Object.hasOwn(MEMBERS, name)) throw malformed(`an input has no member \`${name}\`; there are ${Object.keys(MEMBERS).join(", ")}`);
    const wanted = MEMBERS[name as keyof CheckInput];
    if (value !== undefined && typeof value !== wanted) throw malformed(`\`${name}\` is a ${wanted}, not ${shown(value)}`);
  }
  if (input.kubernetes !== undefined && targetOf(input.kubernetes) === undefined) {
    throw malformed(`\`kubernetes\` is a version such as \`1.35\` or \`1.35.2\`, not ${shown(input.kubernetes)}`);
  }
}

const NAMES = ["timeout", "worker", "onMore"];

/** Refuses options that are not what the types say. */
function checkedOptions(options: CheckerOptions): CheckerOptions & { timeout: number } {
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
    throw new LoadError(`\`onMore\` is a function that is told when a review says more, not ${shown(onMore)}`);
  }
  return { timeout, worker, onMore };
}

function isTooLarge(text: string | undefined): boolean {
  return text !== undefined && text.length > MAX_BYTES;
}

function problem(): Problem {
  return tooLarge({ from: 0, to: 0 });
}

/** What a worker is sent of an input, as plain data, and what is wrong with texts that it is not. */
function withinLimits(input: CheckInput) {
  const { old, context, applied } = input;
  const sent: CheckInput = {
    ...input,
    old: isTooLarge(old) ? undefined : old,
    context: isTooLarge(context) ? undefined : context,
    applied: isTooLarge(applied) ? undefined : applied,
  };
  return { sent, old: isTooLarge(old) ? [problem()] : [], context: isTooLarge(context) ? [problem()] : [] };
}

/** What is said of a text that nobody reads. */
function refused(text: string): Review["documents"][number] {
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
