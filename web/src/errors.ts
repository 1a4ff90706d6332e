import type { ErrorAnswer } from "./documents.js";

/** Why a policy cannot be loaded, or its worker not be started. `cause` has the error underneath, if any. */
export class LoadError extends Error {
  override readonly name = "LoadError";
}

/**
 * What may be wrong with a call besides the codes of the policy itself:
 * - `PolicyTrapped`: the policy crashed. The next call is answered by a new instance.
 * - `DeadlineExceeded`: the worker took too long and was ended. The next call is answered by a new one.
 * - `PolicyUnavailable`: the module that answers cannot be loaded. The next call loads it again.
 * - `WordsUnavailable`: the file with the words of the rules cannot be read. The next call reads it again.
 * - `NotPackaged`: the package only judges, and leaves out what answers. The message names the package that has it.
 * - `WorkerFailed`: the worker ended or was closed.
 */
export type CallFailure = "PolicyTrapped" | "DeadlineExceeded" | "PolicyUnavailable" | "WordsUnavailable" | "NotPackaged" | "WorkerFailed";

/** The answer that reports a failure. */
export function failure(code: CallFailure | "Malformed", message: string): ErrorAnswer {
  return { error: { code, message } };
}

/** What a thrown value says. */
export function reason(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** What a value is that should be something else. */
export function shown(value: unknown): string {
  if (typeof value === "string") return `\`${value}\``;
  if (typeof value !== "object" || value === null) return typeof value === "function" ? "a function" : String(value);
  return Object.prototype.toString.call(value).slice("[object ".length, -1);
}
