/** Where a module comes from. */
export type Source = URL | Response | ArrayBuffer | ArrayBufferView;

/** Which policy to load. */
export interface LoadOptions {
  /** Provider type as in `spec.provider.type` of a Shoot. */
  provider: string;
  /** Where the WebAssembly module comes from; by default from beside this package's code. */
  module?: Source | undefined;
}
