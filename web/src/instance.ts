import { failure, LoadError, reason } from "./errors.js";
import type { Call } from "./policy.js";
import { bind } from "./policies/bindings.js";

/** Beyond this a module's memory, which never shrinks, is given back with the instance. */
const MEMORY_LIMIT = 64 * 2 ** 20;

/** Instantiates a module: what calls it. */
export function instantiate(policy: string, module: WebAssembly.Module): Call {
  const bound = bind(policy);
  try {
    // Of a compiled module this takes a fraction of a millisecond, and by a promise twenty.
    bound.initSync({ module });
  } catch (cause) {
    throw new LoadError(`the policy of \`${policy}\` cannot be instantiated: ${reason(cause)}`, { cause });
  }
  let sound = true;
  const renew = (): void => {
    sound = false;
    bound.__wbg_reset_state();
    sound = true;
  };
  return (name, request) => {
    try {
      // Where no other instance could be had after the last call, there may be one now.
      if (!sound) renew();
      const answer = bound.call(name, request);
      if (bound.initSync({ module }).memory.buffer.byteLength > MEMORY_LIMIT) renewLater(renew);
      return answer;
    } catch (thrown) {
      renewLater(renew);
      return JSON.stringify(failure("PolicyTrapped", `the policy trapped: ${reason(thrown)}`));
    }
  };
}

/** Renews now if that can be; else the next call does. */
function renewLater(renew: () => void): void {
  try {
    renew();
  } catch {
    // Memory is short; the next call tries again.
  }
}
