import { failure, reason } from "../errors.js";
import { instantiate } from "../instance.js";
import type { Call } from "../policy.js";
import type { FromWorker, ToWorker } from "./messages.js";

/** What a worker does with the messages that it is sent. */
export function serve(post: (message: FromWorker) => void): (message: ToWorker) => void {
  let call: Call | undefined;
  return (message) => {
    if ("start" in message) {
      try {
        call = instantiate(message.start.name, message.start.module);
        post({ started: true });
      } catch (thrown) {
        post({ failed: reason(thrown) });
      }
    } else {
      const { name, request } = message.call;
      const answer = call?.(name, request);
      post({ answer: answer ?? JSON.stringify(failure("WorkerFailed", "the worker was not started")) });
    }
  };
}
