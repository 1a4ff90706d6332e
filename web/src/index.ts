/** Policies of Gardener's cloud providers: `await load(...)` once, then synchronous calls that never throw for bad input. */

import init, { call } from "./trellis.js";
import type {
  DefaultAnswer,
  ErrorAnswer,
  Info,
  PolicyRequest,
  RulesAnswer,
  ValidateAnswer,
} from "./documents.js";

export type * from "./documents.js";

export interface LoadOptions {
  /** Provider type as in `spec.provider.type` of a Shoot. */
  provider: string;
  /**
   * Where the WebAssembly module comes from; by default it is fetched from beside this file.
   * Node cannot fetch files: read `trellis-policy/trellis_bg.wasm` and pass its bytes.
   */
  module?: URL | Response | BufferSource;
}

/** The policy of one provider. A request is an object, or its JSON text, which is passed on as it is. */
export interface Policy {
  info(): Info | ErrorAnswer;
  rules(): RulesAnswer | ErrorAnswer;
  validate(request: PolicyRequest | string): ValidateAnswer | ErrorAnswer;
  default(request: PolicyRequest | string): DefaultAnswer | ErrorAnswer;
}

/** Instantiates the module, which happens once however often this is called, and returns the policy of a provider. */
export async function load({ provider, module }: LoadOptions): Promise<Policy> {
  await init({ module_or_path: module ?? new URL("./trellis_bg.wasm", import.meta.url) });
  const ask = <Answer>(name: string, request: PolicyRequest | string): Answer =>
    JSON.parse(call(provider, name, typeof request === "string" ? request : JSON.stringify(request)));
  return {
    info: () => ask("info", "{}"),
    rules: () => ask("rules", "{}"),
    validate: (request) => ask("validate", request),
    default: (request) => ask("default", request),
  };
}
