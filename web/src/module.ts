import { LoadError, reason } from "./errors.js";
import { type ModuleName, modules } from "./generated/modules.js";
import type { Source } from "./options.js";

/** Reads what a URL names. */
export type Read = (url: URL) => Promise<Response | ArrayBufferView>;

/** Compiles a module, by default that of this package. */
export async function compile(name: ModuleName, source: Source | undefined, read: Read): Promise<WebAssembly.Module> {
  const origin = source ?? modules[name]();
  const url = typeof origin === "string" ? parsed(origin) : has("href", origin) ? (origin as URL) : undefined;
  const found: unknown = url ? await fetched(url, read) : origin;
  if (has("headers", found)) return fromResponse(found as Response);
  if (has("byteLength", found)) return fromBytes(found as BufferSource);
  const given = Object.prototype.toString.call(found).slice("[object ".length, -1);
  throw new LoadError(`\`module\` is a URL, a Response or the bytes of a WebAssembly module, not ${given}`);
}

/** A URL, which in a page may be relative to it. */
function parsed(text: string): URL {
  try {
    return new URL(text, globalThis.document?.baseURI ?? globalThis.location?.href);
  } catch (cause) {
    throw new LoadError(`\`module\` is no absolute URL: \`${text}\``, { cause });
  }
}

/** Told by shape, since classes differ among the realms of a page and the environments of tests. */
function has(member: string, value: unknown): boolean {
  return typeof value === "object" && value !== null && member in value;
}

async function fromBytes(bytes: BufferSource): Promise<WebAssembly.Module> {
  try {
    return await WebAssembly.compile(bytes);
  } catch (cause) {
    throw new LoadError(`the bytes given are no WebAssembly module that may run here: ${reason(cause)}`, { cause });
  }
}

async function fromResponse(response: Response): Promise<WebAssembly.Module> {
  const from = response.url || "the response";
  const type = response.headers.get("Content-Type");
  if (!response.ok) throw new LoadError(`${from} was answered with status ${response.status}`);
  try {
    // Browsers compile while they download, but only what is labelled as WebAssembly.
    const streams = type === "application/wasm" && typeof WebAssembly.compileStreaming === "function";
    return await (streams
      ? WebAssembly.compileStreaming(response)
      : WebAssembly.compile(await response.arrayBuffer()));
  } catch (cause) {
    throw new LoadError(`${from} (${type}) is no WebAssembly module that may run here: ${reason(cause)}`, { cause });
  }
}

/** What a URL names. */
export async function fetched(url: URL, read: Read): Promise<Response | ArrayBufferView> {
  try {
    return await read(url);
  } catch (cause) {
    throw new LoadError(`cannot read ${url}: ${reason(cause)}`, { cause });
  }
}
