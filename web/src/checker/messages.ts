import type { Choice, ChoicePlace } from "../choices/place.js";
import type { Checked } from "../check/answer.js";
import type { ErrorAnswer, PatchOperation, ZoneRequest } from "../documents.js";
import type { Range, TextEdit } from "../yaml/index.js";
import type { CheckFailure, CheckInput, Review, ZonesPlan } from "./interface.js";
import type { ExplainedRule } from "../rules.js";
import type { NamedTexts } from "./kept.js";

/** What a checker's worker is given of an input: `onto` as JSON text. */
export type GivenInput = Omit<CheckInput, "onto"> & { onto?: string | undefined };

/** An object that is to be checked: the request as JSON text, without what else there is, which is a JSON text by role. */
export type AskedObject = { request: string; openapi?: string } & Record<string, string>;

/** What a checker's worker does, by name. */
export interface Tasks {
  review(input: GivenInput): Promise<Review>;
  check(asked: AskedObject): Promise<Checked | ErrorAnswer>;
  edits(text: string, document: number, patch: PatchOperation[]): Promise<TextEdit[] | undefined>;
  locate(text: string, document: number, pointer: string): Promise<Range | undefined>;
  zones(input: GivenInput, document: number, add: ZoneRequest[]): Promise<ZonesPlan>;
  objects(input: GivenInput, document: number): Promise<object[]>;
  choices(input: Pick<GivenInput, "text" | "context">, place: ChoicePlace): Promise<Choice[]>;
  rules(provider: string): Promise<ExplainedRule[]>;
}

/** What a worker is sent, one at a time. */
export interface ToThread<Name extends keyof Tasks = keyof Tasks> {
  task: Name;
  arguments: Parameters<Tasks[Name]>;
  /** Long texts, which are members of the first argument. */
  texts?: NamedTexts;
}

/**
 * What it answers, after it has reported when it loads something that the answer needs, and when it has that. At any time it
 * may report that a review says more than those before.
 */
export type FromThread =
  | { isLoading: boolean }
  | { hasMore: true }
  | { answer: unknown }
  | { failed: { code: CheckFailure | "TypeError"; message: string } };

/** What was asked is about something that is not there: the caller has made a mistake. */
export class WrongCall extends Error {}

/** Whether a message ends what was asked. */
export function isAnswer(message: FromThread): boolean {
  return "answer" in message || "failed" in message;
}
