import { LoadError, shown } from "./errors.js";
import { parseIntegrity } from "./integrity.js";
import { LOAD_TIMEOUT, wrongTimeout } from "./wait.js";

/** What `WebAssembly.compile` makes of bytes: a `WebAssembly.Module`, which is no type where those of browsers are not there. */
export type CompiledModule = object;

/** What has a module: its URL, a response with it, its bytes, or the compiled module. */
export type Source = URL | string | Response | ArrayBuffer | ArrayBufferView | CompiledModule;

/** A module that this package has. */
export interface PackagedModule {
  /** What the file is called, before `_bg.wasm`. */
  readonly name: string;
  /** Where the file lies. */
  url(): URL;
  /** How large the file is. */
  readonly bytes: number;
  /** The hash of the file, for the option `integrity`. */
  readonly integrity: string;
}

/** How a module is loaded. */
export interface ModuleOptions {
  /**
   * Where the WebAssembly module comes from; by default from next to this package's code. A caller that gives the same URL
   * or object again gets what was made of it before.
   */
  module?: Source | Promise<Source> | undefined;
  /**
   * The hash that the module's bytes must have, as in the attribute `integrity` of HTML: `sha256-…`, `sha384-…` or
   * `sha512-…`. `modules` has those of this package. A module with another hash is not compiled.
   */
  integrity?: string | undefined;
  /** Aborted, the load rejects with the signal's reason. Others who wait for the same module go on waiting. */
  signal?: AbortSignal | undefined;
  /** Milliseconds above 0 that the load may take; 30,000 by default, `Infinity` for no limit. */
  timeout?: number | undefined;
}

/** Which policy to load, and how. */
export interface LoadOptions extends ModuleOptions {
  /** Provider type as in `spec.provider.type` of a Shoot; `providers` lists those that there are policies for. */
  provider: string;
}

const NAMES = ["module", "integrity", "signal", "timeout"];

/** Options that are what the types say. */
export interface CheckedOptions extends ModuleOptions {
  timeout: number;
}

/** Refuses options that are not what the types say. `more` are names of further ones. */
export function checkedOptions<Options extends ModuleOptions>(options: Options, more: string[] = []): Options & CheckedOptions {
  if (typeof options !== "object" || options === null) {
    throw new LoadError(`the options are an object such as \`{ provider: "alicloud" }\`, not ${shown(options)}`);
  }
  const names = [...NAMES, ...more];
  for (const name of Object.keys(options)) {
    if (!names.includes(name)) throw new LoadError(`there is no option \`${name}\`; there are ${names.join(", ")}`);
  }
  const { module, integrity, signal, timeout = LOAD_TIMEOUT } = options;
  if (module !== undefined && typeof module !== "string" && (typeof module !== "object" || module === null)) {
    throw new LoadError(noSource(module));
  }
  const wrong = wrongTimeout(timeout);
  if (wrong) throw new LoadError(wrong);
  // Known by its shape, because classes differ among the realms of a page.
  if (signal !== undefined && typeof signal?.addEventListener !== "function") {
    throw new LoadError(`\`signal\` is the signal of an AbortController, not ${shown(signal)}`);
  }
  if (integrity !== undefined) parseIntegrity(integrity);
  return { ...options, timeout };
}

/** What is wrong with what should have a module. */
export function noSource(module: unknown): string {
  return `\`module\` is a URL, a Response, the bytes of a WebAssembly module, a compiled one, or a promise of these, not ${shown(module)}`;
}
