import { failure, LoadError, reason } from "./errors.js";
import { bindings, type ModuleName } from "./generated/modules.js";

/** Beyond this a module's memory, which never shrinks, is given back with the instance. */
const MEMORY_LIMIT = 64 * 2 ** 20;

/** What wasm-bindgen makes of a module, as far as it is used here. The bindings of a module hold one instance. */
export interface Bindings {
  /** Instantiates the module where there is no instance yet; the exports of the instance. */
  initSync(options: { module: WebAssembly.Module }): { readonly memory: WebAssembly.Memory };
  /** Replaces the instance by a new one. */
  __wbg_reset_state(): void;
  call(name: string, request: string): string;
}

/** A provider's policy at work. Its calls take and give JSON text and never throw. */
export interface Instance {
  call(name: string, request: string): string;
}

/** Instantiates a module, whose bindings are loaded meanwhile. */
export async function instantiate(name: ModuleName, compiled: Promise<WebAssembly.Module>): Promise<Instance> {
  const [module, bound] = await Promise.all([compiled, load(name)]);
  requirePolicy(name, module);
  try {
    // Of a compiled module this takes a fraction of a millisecond, and by a promise twenty.
    bound.initSync({ module });
  } catch (cause) {
    throw new LoadError(`the policy of \`${name}\` cannot be instantiated: ${reason(cause)}`, { cause });
  }
  let sound = true;
  const renew = (): void => {
    sound = false;
    bound.__wbg_reset_state();
    sound = true;
  };
  return {
    call(called, request) {
      try {
        // Where no new instance could be had after the last call, there may be one now.
        if (!sound) renew();
        const answer = bound.call(called, request);
        if (bound.initSync({ module }).memory.buffer.byteLength > MEMORY_LIMIT) renewLater(renew);
        return answer;
      } catch (thrown) {
        renewLater(renew);
        return JSON.stringify(failure("PolicyTrapped", `the policy trapped: ${reason(thrown)}`));
      }
    },
  };
}

async function load(name: ModuleName): Promise<Bindings> {
  try {
    return await bindings[name]();
  } catch (cause) {
    throw new LoadError(`the code for the policy of \`${name}\` cannot be loaded: ${reason(cause)}`, { cause });
  }
}

/** Renews now if that can be; else the next call does. */
function renewLater(renew: () => void): void {
  try {
    renew();
  } catch {
    // Memory is short; the next call tries again.
  }
}

/** Refuses what is WebAssembly but not this policy, before the bindings take it for theirs. */
function requirePolicy(policy: ModuleName, module: WebAssembly.Module): void {
  const exports = new Set(WebAssembly.Module.exports(module).map(({ name }) => name));
  const isPolicy = ["memory", "call", "__wbindgen_start"].every((name) => exports.has(name));
  const isOther = WebAssembly.Module.imports(module).some((entry) => entry.module !== `./${policy}_bg.js`);
  if (!isPolicy || isOther) throw new LoadError(`the module is not the policy of \`${policy}\``);
}
