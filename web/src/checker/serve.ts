import { CheckError } from "./interface.js";
import { KeptTexts } from "./kept.js";
import { type FromThread, type Tasks, type ToThread, WrongCall } from "./messages.js";
import { type Loaders, Policies } from "./policies.js";
import { Reviewer } from "./review.js";

/** What a worker does with the messages that it is sent. */
export function serve(
  loaders: Loaders,
  post: (message: FromThread) => void,
): (message: ToThread) => Promise<void> {
  const reviewer = new Reviewer(new Policies(loaders, (isLoading) => post({ isLoading })));
  const kept = new KeptTexts();
  return async ({ task, arguments: [first, ...others], texts = {} }) => {
    try {
      const run = (reviewer as Tasks)[task] as (...given: unknown[]) => Promise<unknown>;
      const members = kept.of(texts);
      const whole = Object.keys(members).length > 0 ? { ...(first as object), ...members } : first;
      post({ answer: await run.call(reviewer, whole, ...others) });
    } catch (thrown) {
      post({ failed: failureOf(thrown) });
    }
    // What a review can do without is loaded when somebody has that review.
    if (await reviewer.fetchMore()) post({ hasMore: true });
  };
}

function failureOf(thrown: unknown): Extract<FromThread, { failed: unknown }>["failed"] {
  if (thrown instanceof CheckError) return { code: thrown.code, message: thrown.message };
  if (thrown instanceof WrongCall) return { code: "TypeError", message: thrown.message };
  // Messages of errors may quote the text, which may be a Secret.
  const name = thrown instanceof Error ? thrown.name : "an unknown error";
  return { code: "WorkerFailed", message: `the check failed: ${name}` };
}
