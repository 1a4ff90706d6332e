import { failure, reason } from "../errors.js";
import { instantiate, type Instance } from "../instance.js";
import type { FromWorker, ToWorker } from "./messages.js";

/** What a worker does with the messages that it is sent. */
export function serve(post: (message: FromWorker) => void): (message: ToWorker) => Promise<void> {
  let instance: Instance | undefined;
  return async (message) => {
    if ("start" in message) {
      try {
        instance = await instantiate(message.start.name, Promise.resolve(message.start.module));
        post({ started: true });
      } catch (thrown) {
        post({ failed: reason(thrown) });
      }
    } else {
      const { name, request } = message.call;
      const answer = instance?.call(name, request);
      post({ answer: answer ?? JSON.stringify(failure("WorkerFailed", "the worker was not started")) });
    }
  };
}
