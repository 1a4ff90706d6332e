/** From where a module lies to what WebAssembly makes of it. */

import { LoadError, reason, shown } from "./errors.js";
import { Flight, shared } from "./flight.js";
import { requireIntegrity } from "./integrity.js";
import { type CheckedOptions, noSource, type PackagedModule, type Source } from "./options.js";
import { unlessAborted, within } from "./wait.js";

/** Reads what a URL names, until the signal is aborted. */
export type Read = (url: URL, signal: AbortSignal) => Promise<Response | ArrayBufferView>;

/** Makes something of a module, once for all who give the same `module` and `integrity`. */
export function loadShared<T>(
  packaged: PackagedModule,
  options: CheckedOptions,
  read: Read,
  make: (module: WebAssembly.Module) => T,
): Promise<T> {
  const { module, integrity = "" } = options;
  const origin = module === undefined ? "" : urlOf(module);
  const source = origin === undefined ? (module as object) : undefined;
  const key = [packaged.name, integrity, origin ?? ""].join(" ");
  return landed(packaged, options, () => shared(key, source, async (signal) => make(await compile(packaged, options, read, signal))));
}

/** Compiles a module for the caller alone. */
export function loadAlone(packaged: PackagedModule, options: CheckedOptions, read: Read): Promise<WebAssembly.Module> {
  return landed(packaged, options, () => new Flight((signal) => compile(packaged, options, read, signal)));
}

/** Waits for a flight as long as the options say; an aborted caller starts none. */
async function landed<T>({ name }: PackagedModule, { signal, timeout }: CheckedOptions, start: () => Flight<T>): Promise<T> {
  signal?.throwIfAborted();
  const late = () => new LoadError(`the module \`${name}\` has not come within ${timeout} ms: check its server, or set \`timeout\``);
  return start().join((outcome) => unlessAborted(signal, within(timeout, outcome, late)));
}

async function compile(packaged: PackagedModule, options: CheckedOptions, read: Read, signal: AbortSignal): Promise<WebAssembly.Module> {
  const origin = await given(options.module ?? packaged.url());
  const url = urlOf(origin);
  const found: unknown = url === undefined ? origin : await fetched(new URL(url), read, signal);
  const module = await compiled(found, options.integrity);
  requirePolicy(packaged.name, module);
  return module;
}

async function given(module: Source | Promise<Source>): Promise<Source> {
  try {
    return await module;
  } catch (cause) {
    throw new LoadError(`the promise given as \`module\` was rejected: ${reason(cause)}`, { cause });
  }
}

async function compiled(found: unknown, integrity: string | undefined): Promise<WebAssembly.Module> {
  if (has("headers", found)) return fromResponse(found as Response, integrity);
  if (has("byteLength", found)) return fromBytes(found as BufferSource, integrity, "what was given as `module`");
  if (shown(found) !== "WebAssembly.Module") throw new LoadError(noSource(found));
  if (integrity !== undefined) throw new LoadError("`integrity` is that of bytes: give the bytes as `module`, not a compiled module");
  return found as WebAssembly.Module;
}

/** The text of a URL, where there is one. */
function urlOf(value: unknown): string | undefined {
  if (has("href", value)) return (value as URL).href;
  if (typeof value !== "string") return undefined;
  try {
    return new URL(value, globalThis.document?.baseURI ?? globalThis.location?.href).href;
  } catch (cause) {
    throw new LoadError(`\`module\` is no absolute URL: \`${value}\``, { cause });
  }
}

/** Known by its shape, because classes differ among the realms of a page and the environments of tests. */
function has(member: string, value: unknown): boolean {
  return typeof value === "object" && value !== null && member in value;
}

async function fromBytes(bytes: BufferSource, integrity: string | undefined, from: string): Promise<WebAssembly.Module> {
  if (integrity !== undefined) await requireIntegrity(bytes, integrity, from);
  try {
    return await WebAssembly.compile(bytes);
  } catch (cause) {
    throw new LoadError(`${from} is no WebAssembly module that may run here: ${reason(cause)}`, { cause });
  }
}

async function fromResponse(response: Response, integrity: string | undefined): Promise<WebAssembly.Module> {
  const from = response.url || "the response";
  if (!response.ok) {
    throw new LoadError(`${from} was answered with status ${response.status}: serve the module there, or set \`module\``);
  }
  const type = response.headers.get("Content-Type");
  const named = `${from} (${type})`;
  // Browsers compile while they download, but only what is labelled as WebAssembly, and before the hash is known.
  if (integrity === undefined && type === "application/wasm" && typeof WebAssembly.compileStreaming === "function") {
    try {
      return await WebAssembly.compileStreaming(response);
    } catch (cause) {
      throw new LoadError(`${named} is no WebAssembly module that may run here: ${reason(cause)}`, { cause });
    }
  }
  return fromBytes(await bodyOf(response, named), integrity, named);
}

async function bodyOf(response: Response, from: string): Promise<ArrayBuffer> {
  try {
    return await response.arrayBuffer();
  } catch (cause) {
    throw new LoadError(`cannot read ${from}: ${reason(cause)}`, { cause });
  }
}

/** What a URL names. */
export async function fetched(url: URL, read: Read, signal: AbortSignal): Promise<Response | ArrayBufferView> {
  try {
    return await read(url, signal);
  } catch (cause) {
    throw new LoadError(`cannot read ${url}: ${reason(cause)}`, { cause });
  }
}

/** Refuses what is WebAssembly but not this policy, before the bindings take it for theirs. */
function requirePolicy(name: string, module: WebAssembly.Module): void {
  const exports = new Set(WebAssembly.Module.exports(module).map((entry) => entry.name));
  const isPolicy = ["memory", "call", "__wbindgen_start"].every((entry) => exports.has(entry));
  const isOther = WebAssembly.Module.imports(module).some((entry) => entry.module !== `./${name}_bg.js`);
  if (!isPolicy || isOther) {
    throw new LoadError(`the module is not the policy of \`${name}\`: give \`${name}_bg.wasm\` of this version of the package`);
  }
}
