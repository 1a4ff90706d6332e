import { LoadError, reason } from "./errors.js";
import { modules } from "./generated/modules.js";
import type { Provider } from "./generated/providers.js";
import type { Source } from "./options.js";

/** Reads what a URL names. */
export type Read = (url: URL) => Promise<Response | ArrayBufferView>;

/** Compiles a provider's module, by default that of this package. */
export async function compile(provider: Provider, source: Source | undefined, read: Read): Promise<WebAssembly.Module> {
  const origin = source ?? modules[provider]();
  const found = has("href", origin) ? await fetched(origin as URL, read) : (origin as Exclude<Source, URL>);
  return has("arrayBuffer", found) ? fromResponse(found as Response, origin) : fromBytes(found as BufferSource);
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

async function fromResponse(response: Response, origin: Source): Promise<WebAssembly.Module> {
  const from = response.url || String(origin);
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

async function fetched(url: URL, read: Read) {
  try {
    return await read(url);
  } catch (cause) {
    throw new LoadError(`cannot read ${url}: ${reason(cause)}`, { cause });
  }
}
