/** Where a module comes from: its URL, a response that has it, or its bytes. */
export type Source = URL | string | Response | ArrayBuffer | ArrayBufferView;

/** Which policy to load. */
export interface LoadOptions {
  /** Provider type as in `spec.provider.type` of a Shoot. */
  provider: string;
  /** Where the WebAssembly module comes from; by default from beside this package's code. */
  module?: Source | undefined;
}
