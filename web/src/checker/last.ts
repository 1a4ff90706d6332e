/** What was said of the last text, so that a review of the same input goes on from there. */

import type { Judged } from "../check/judge.js";
import type { TriedFixes } from "../check/worlds.js";
import type { GivenInput } from "./messages.js";

/** Milliseconds for which a checker says of the same input what it said before: then it asks the rules again, because versions expire. */
export const FRESH = 300_000;

/** What was judged by document, as long as what the rules are asked about stays the same. */
export class LastJudged {
  private about: unknown[] = [];
  private begun = Number.NEGATIVE_INFINITY;
  private documents: { outcome?: Judged; tried: TriedFixes }[] = [];

  /**
   * Begins with nothing where the rules are asked about something else than before, or were asked too long ago. `policies` are those who
   * answer. Returns when the rules were first asked, in milliseconds since 1970.
   */
  begin(input: GivenInput, policies: unknown[], now = Date.now()): number {
    const { text, old, context, applied, onto, provider, ratchet, create, defaults, gardenerVersion, openapi, kubernetes } = input;
    const about = [text, old, context, applied, onto, provider, ratchet, create, defaults, gardenerVersion, openapi, kubernetes, ...policies];
    if (isSameList(about, this.about) && now - this.begun < FRESH) return this.begun;
    this.about = about;
    this.begun = now;
    this.documents = [];
    return now;
  }

  /** What is known of a document, or what `judge` says: of one with fixes that nobody has tried yet, it says more each time. */
  async of(document: number, judge: (tried: TriedFixes) => Promise<Judged>): Promise<Judged> {
    const known = (this.documents[document] ??= { tried: new Map() });
    const { outcome, tried } = known;
    if (outcome && outcome.ruling.untried === undefined) return outcome;
    return (known.outcome = await judge(tried));
  }
}

/** Whether two lists have the same values in the same order. */
export function isSameList(one: unknown[], other: unknown[]): boolean {
  return one.length === other.length && one.every((value, at) => value === other[at]);
}
