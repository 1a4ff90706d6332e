/** What a worker is sent: first what to start, then one call after the other. */
export type ToWorker =
  | { start: { name: string; module: WebAssembly.Module } }
  | { call: { name: string; request: string } };

/** What it answers, one message to each. */
export type FromWorker = { started: true } | { failed: string } | { answer: string };
