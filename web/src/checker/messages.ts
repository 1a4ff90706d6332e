import type { Choice, ChoicePlace } from "../choices/place.js";
import type { PatchOperation, ZoneRequest } from "../documents.js";
import type { Range, TextEdit } from "../yaml/index.js";
import type { CheckFailure, CheckInput, Review, ZonesPlan } from "./interface.js";
import type { ExplainedRule } from "../rules.js";

/** What a checker's worker does, by name. */
export interface Tasks {
  review(input: CheckInput): Promise<Review>;
  edits(text: string, document: number, patch: PatchOperation[]): Promise<TextEdit[] | undefined>;
  locate(text: string, document: number, pointer: string): Promise<Range | undefined>;
  zones(input: CheckInput, document: number, add: ZoneRequest[]): Promise<ZonesPlan>;
  objects(input: CheckInput, document: number): Promise<object[]>;
  choices(input: Pick<CheckInput, "text" | "context">, place: ChoicePlace): Promise<Choice[]>;
  rules(provider: string): Promise<ExplainedRule[]>;
}

/** What a worker is sent, one at a time. */
export interface ToThread<Name extends keyof Tasks = keyof Tasks> {
  task: Name;
  arguments: Parameters<Tasks[Name]>;
}

/**
 * What it answers, after it has told when it loads something that the answer needs, and when it has that. At any time it may
 * tell that a review says more than those before.
 */
export type FromThread =
  | { isLoading: boolean }
  | { hasMore: true }
  | { answer: unknown }
  | { failed: { code: CheckFailure; message: string } };

/** Whether a message ends what was asked. */
export function isAnswer(message: FromThread): boolean {
  return "answer" in message || "failed" in message;
}
