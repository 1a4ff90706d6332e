/** Everything that the components say. Words between backticks are shown as code. */

import { inject, type InjectionKey, provide } from "vue";
import type { DefaultedLine } from "../checker/interface.js";
import type { Verdict } from "../documents.js";
import { findings } from "./finding-words.js";
import { manifests } from "./manifest-words.js";
import { map } from "./map-words.js";
import { count, numbers } from "./numbers.js";
import { plan } from "./plan-words.js";
import { rollout } from "./rollout-words.js";

/** What the components say, in English. */
const ENGLISH = {
  answer: {
    /** What is shown in the place of an answer, where the policy answered with an error. */
    error: (code: string, message: string) => `The policy answered with the error \`${code}\`: ${message}`,
  },
  verdict: {
    accept: "accepted",
    reject: "rejected",
    undecided: "undecided",
    partial: "accepted in part",
    none: "not judged",
  } satisfies Record<Verdict | "partial" | "none", string> as Record<Verdict | "partial" | "none", string>,
  map,
  findings,
  diff: {
    label: "The text with its defaults",
    none: "No defaults are set: the text says everything itself.",
    summary: (defaults: number) => `${count(defaults, "default")} ${defaults === 1 ? "is" : "are"} set.`,
    /** What is heard before a line. */
    state: { same: "", added: "Added: ", removed: "Removed: " } satisfies Record<DefaultedLine["state"], string> as Record<
      DefaultedLine["state"],
      string
    >,
    unfold: (lines: number) => `Show ${count(lines, "unchanged line")}`,
    more: (number: number, total: number) => `Show ${numbers.format(number)} more of ${count(total, "line")}`,
    select: (rule: string) => `Go to the default of ${rule}`,
  },
  manifests,
  plan,
  rollout,
  zones: {
    label: "Add a zone",
    name: "Zone",
    size: "Size",
    option: (length: number, size: bigint) => `/${length} · ${count(size, "address", "addresses")}`,
    add: "Add zone",
    none: "There is no room for another zone: make the range of the nodes or of the network larger, or a zone smaller.",
    planned: (name: string | undefined, cidr: string, first: string, last: string) =>
      `${name ? `\`${name}\`` : "The zone"} gets \`${cidr}\`: \`${first}\` – \`${last}\``,
    busy: "Looking for room…",
  },
};

/** What the components say. */
export type TrellisStrings = typeof ENGLISH;

/** Words of an application's own, for some of what the components say. */
export type PartialStrings = { [Part in keyof TrellisStrings]?: Partial<TrellisStrings[Part]> };

/** Where components find their words; `provideStrings` is the easy way to give them. */
export const TRELLIS_STRINGS: InjectionKey<TrellisStrings> = Symbol("trellis strings");

/** All the words, English where an application has none of its own. */
export function withStrings(own: PartialStrings): TrellisStrings {
  const parts = Object.entries(ENGLISH).map(([part, words]) => [part, { ...words, ...own[part as keyof TrellisStrings] }]);
  return Object.fromEntries(parts) as TrellisStrings;
}

/** Gives words of its own to the components below the one whose `setup` calls this. For all: `app.provide`. */
export function provideStrings(own: PartialStrings): void {
  provide(TRELLIS_STRINGS, withStrings(own));
}

/** What a component says, for use in its `setup`. */
export function useStrings(): TrellisStrings {
  return inject(TRELLIS_STRINGS, ENGLISH);
}
