/** The page's side of a checker. */

import { answerOf } from "../check/answer.js";
import { reason, shown } from "../errors.js";
import type { CallOptions, WorkerLike } from "../worker/interface.js";
import { unlessAborted, wrongCall } from "../wait.js";
import { sentOf } from "./asked.js";
import { checkedOptions, refuse, refused, withinLimits } from "./input.js";
import { CheckError, type Checker, type CheckerOptions } from "./interface.js";
import { isTooLarge, problem } from "./limits.js";
import type { Tasks } from "./messages.js";
import { CheckerThread } from "./thread.js";

/** A value without what a worker cannot be sent, such as the proxies of Vue around the parts of a review. */
function plain<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

/** More reviews do not wait: where Gardener's own rules can never be loaded, each review would add one. */
const MOST_WAITING = 100;

/** A checker whose worker is made when it is first asked. */
export function start(options: CheckerOptions, makeWorker: () => WorkerLike): Checker {
  const { timeout, worker, onMore } = checkedOptions(options);
  let thread: CheckerThread | undefined;
  let closed = false;
  let last: Promise<unknown> = Promise.resolve();
  /** Those who have a review without Gardener's own rules, each with what says that nobody needs it any more. */
  const waiting = new Map<() => void, AbortSignal | undefined>();
  const more = (): void => {
    if (closed) return;
    const reported = [...waiting.keys()];
    waiting.clear();
    for (const notify of [...(onMore ? [onMore] : []), ...reported]) notify();
  };

  const run = async (task: keyof Tasks, given: unknown[], texts: Record<string, string>): Promise<unknown> => {
    if (closed) throw new CheckError("WorkerFailed", "the checker was closed");
    try {
      if (!thread || thread.ended) thread = new CheckerThread((worker ?? makeWorker)(), timeout, more);
    } catch (thrown) {
      throw new CheckError("WorkerFailed", `the worker cannot be made: ${reason(thrown)}`);
    }
    return thread.ask(task, given, texts);
  };

  const ask = <Name extends keyof Tasks>(
    task: Name,
    given: Parameters<Tasks[Name]>,
    options?: CallOptions,
    texts: Record<string, string> = {},
  ): ReturnType<Tasks[Name]> => {
    const wrong = wrongCall(options);
    if (wrong) return Promise.reject(new CheckError("Malformed", wrong)) as ReturnType<Tasks[Name]>;
    const signal = options?.signal;
    const answer = last.then(() => (signal?.aborted ? undefined : run(task, given, texts)));
    last = answer.catch(() => undefined);
    return unlessAborted(signal, answer) as ReturnType<Tasks[Name]>;
  };

  return {
    async review(input, call = {}) {
      refuse(input);
      const wrong = wrongCall(call, ["onMore"]);
      if (wrong) throw new CheckError("Malformed", wrong);
      const { onMore: notify, ...options } = call;
      if (notify !== undefined && typeof notify !== "function") {
        throw new CheckError("Malformed", `\`onMore\` is a function that is called when a review says more, not ${shown(notify)}`);
      }
      const { sent, texts, old, context } = withinLimits(input);
      if (isTooLarge(input.text)) {
        return { documents: [refused(input.text)], judgedAt: Date.now(), old, context, oldSecrets: [], contextSecrets: [], contextProfiles: [] };
      }
      const review = await ask("review", [sent], options, texts);
      for (const [other, signal] of waiting) if (signal?.aborted) waiting.delete(other);
      // A module that could not be loaded is tried again after this review, too. The caller that waited for it has the
      // review already.
      if (notify && input.wait !== true && review.documents.some(({ isPreliminary, gardenerError }) => isPreliminary || gardenerError !== undefined)) waiting.set(notify, options.signal);
      for (const oldest of [...waiting.keys()].slice(0, Math.max(0, waiting.size - MOST_WAITING))) waiting.delete(oldest);
      return { ...review, old: [...old, ...review.old], context: [...context, ...review.context] };
    },
    async check(object, settings, options) {
      const asked = sentOf(object, settings);
      if ("error" in asked) return asked;
      const checked = await ask("check", [{ request: asked.request }], options, asked.texts);
      return "error" in checked ? checked : answerOf(checked);
    },
    async edits(text, document, patch, options) {
      refuse({ text });
      if (!Number.isInteger(document)) throw new TypeError(`the document of \`edits\` is its number in the review, the first being 0, not ${shown(document)}`);
      if (!Array.isArray(patch)) throw new TypeError(`the patch of \`edits\` is a list of operations, such as the \`fix\` of a finding, not ${shown(patch)}`);
      return isTooLarge(text) ? undefined : ask("edits", [text, document, plain(patch)], options);
    },
    async locate(text, document, pointer, options) {
      refuse({ text });
      return isTooLarge(text) ? undefined : ask("locate", [text, document, pointer], options);
    },
    async zones(input, document, add, options) {
      refuse(input);
      if (isTooLarge(input.text)) return { error: { code: "TooLarge", message: problem().message } };
      const { sent, texts } = withinLimits(input);
      return ask("zones", [sent, document, plain(add)], options, texts);
    },
    async objects(input, document, options) {
      refuse(input);
      const { sent, texts } = withinLimits(input);
      return isTooLarge(input.text) ? [] : ask("objects", [sent, document], options, texts);
    },
    async choices(input, place, options) {
      refuse(input);
      const { sent, texts } = withinLimits(input);
      return isTooLarge(input.text) ? [] : ask("choices", [sent, plain(place)], options, texts);
    },
    rules: (provider, options) => ask("rules", [provider], options),
    close() {
      closed = true;
      thread?.fail("the checker was closed");
    },
  };
}
