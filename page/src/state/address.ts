/**
 * The state of the page in its address, behind the `#`, which browsers keep to themselves: `#example=<name>`, or
 * `#state=<base64url of deflated JSON>`. Behind both there may be a finding to look at: `&finding=<document> <rule> <pointer>`.
 */

/** What an address holds. */
export interface Shared {
  /** The manifest. */
  text: string;
  /** The manifest as it was, in a comparison. */
  old?: string;
  /** Objects that the manifest refers to. */
  context?: string;
}

/** What is behind the `#`. */
export type Location = ({ example: string } | { shared: Shared }) & { finding?: LinkedFinding };

/** A finding that an address leads to. */
export interface LinkedFinding {
  /** Which document of the text, the first being 0. */
  document: number;
  /** Its rule; empty where it has none. */
  rule: string;
  pointer: string;
}

/** Why the state in an address cannot be read. */
export class AddressError extends Error {
  constructor(readonly why: "damaged" | "foreign" | "tooLarge" | "unknown", options?: ErrorOptions) {
    super(why, options);
  }
}

/** Most bytes of JSON that an address may hold. */
const MOST_TEXT = 3 * 1024 * 1024;

/** Longest address that is written: browsers and chats cut longer ones. */
const LONGEST = 64 * 1024;

/** The address of an example. */
export function addressOfExample(name: string): string {
  return `#example=${encodeURIComponent(name)}`;
}

/** Whether an address names an example, and holds no text. */
export function isOfExample(address: string): boolean {
  return address.startsWith("#example=");
}

/** The address of a state; nothing where it would be too long. */
export async function addressOf(shared: Shared): Promise<string | undefined> {
  const text = new Blob([JSON.stringify(shared)]);
  if (text.size > MOST_TEXT) return undefined;
  const packed = await drain(text.stream().pipeThrough(new CompressionStream("deflate-raw")), LONGEST);
  const address = packed && `#state=${base64url(packed)}`;
  return address !== undefined && address.length <= LONGEST ? address : undefined;
}

/** The address of a finding of a text that has this address. */
export function addressOfFinding(address: string, { document, rule, pointer }: LinkedFinding): string {
  return `${address}&finding=${encodeURIComponent(`${document} ${rule} ${pointer}`)}`;
}

function findingIn(parameters: URLSearchParams): { finding?: LinkedFinding } {
  const [, document, rule, pointer] = /^(\d+) (\S*) (.*)$/s.exec(parameters.get("finding") ?? "") ?? [];
  return rule === undefined || pointer === undefined ? {} : { finding: { document: Number(document), rule, pointer } };
}

/** Places of the page itself, which links within it name. */
const PLACES = ["", "texts", "results"];

/** What an address holds; nothing where it is bare. Throws an `AddressError` where it cannot be read. */
export async function readAddress(hash: string): Promise<Location | undefined> {
  const parameters = new URLSearchParams(hash.replace(/^#/, ""));
  const example = parameters.get("example");
  if (example !== null) return { example, ...findingIn(parameters) };
  const state = parameters.get("state");
  if (state === null && PLACES.includes(hash.replace(/^#/, ""))) return undefined;
  if (state === null) throw new AddressError("unknown");
  return { shared: await unpack(state), ...findingIn(parameters) };
}

async function unpack(state: string): Promise<Shared> {
  let value: unknown;
  try {
    const bytes = Uint8Array.from(atob(state.replaceAll("-", "+").replaceAll("_", "/")), (char) => char.charCodeAt(0));
    const inflated = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    const json = await drain(inflated, MOST_TEXT);
    if (json === undefined) throw new AddressError("tooLarge");
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(json));
  } catch (cause) {
    throw cause instanceof AddressError ? cause : new AddressError("damaged", { cause });
  }
  if (!isShared(value)) throw new AddressError("foreign");
  const { text, old, context } = value;
  return { text, ...(old !== undefined && { old }), ...(context !== undefined && { context }) };
}

function isShared(value: unknown): value is Shared {
  if (typeof value !== "object" || value === null) return false;
  const [text, old = "", context = ""] = ["text", "old", "context"].map((name): unknown => Reflect.get(value, name));
  return [text, old, context].every((part) => typeof part === "string");
}

/** All bytes of a stream; nothing if there are more than `most`. */
async function drain(stream: ReadableStream<Uint8Array>, most: number): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const parts: Uint8Array[] = [];
  let length = 0;
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > most) {
      await reader.cancel();
      return undefined;
    }
    parts.push(value);
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function base64url(bytes: Uint8Array): string {
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
