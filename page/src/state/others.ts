/** What there is to say of texts below the verdict, each with the place that it is about. */

import type { PatchOperation } from "trellis-policy";
import type { OtherProblem, Review } from "trellis-policy/checker";
import { type Needed, neededBy } from "trellis-policy/vue";
import type { Range } from "trellis-policy/yaml";
import { strings } from "../strings.js";
import type { EditorName } from "./workspace.js";

/** A sentence about a text, which no finding is. */
export interface Other {
  editor: EditorName;
  /** The sentence, with code in backticks. */
  text: string;
  /** Where it is; absent where it is about more than one place. */
  range?: Range;
  /** What fixes it, and in which document of the text, the first being 0. */
  fix?: { document: number; patch: PatchOperation[] };
}

/** More of one text are counted. */
const MOST = 3;

/** The problems of both texts, and the profiles that an undecided rule has no use for. */
export function othersOf(review: Review, texts: { before: string; context: string }): Other[] {
  const problems = (["before", "context"] as const).flatMap((editor): Other[] => {
    const found = editor === "before" ? review.old : review.context;
    const all = [...found.filter(isError), ...found.filter((problem) => !isError(problem))];
    const shown = all.slice(0, MOST).map(({ from, to, message, remedy, document, fix }): Other => {
      const line = texts[editor].slice(0, from).split("\n").length;
      const text = strings.otherProblem(strings[editor], line, message, sentence(remedy));
      const fixed = document !== undefined && fix && { fix: { document, patch: fix } };
      return { editor, text, range: { from, to }, ...fixed };
    });
    return withRest(editor, shown, all.length);
  });
  return [...problems, ...unused(review), ...misspelt(review)];
}

/** Where a provider has no policy because its name is misspelt. */
function misspelt({ documents }: Review): Other[] {
  const all = documents.flatMap(({ skipped }, document): Other[] => {
    if (!skipped?.meant) return [];
    const { provider, range, fix } = skipped.meant;
    return [{ editor: "manifest", text: strings.misspeltProvider(skipped.found, provider), range, fix: { document, patch: fix } }];
  });
  return withRest("manifest", all.slice(0, MOST), all.length);
}

/** What is said of a text, and how much more there is to say of it. */
function withRest(editor: EditorName, shown: Other[], all: number): Other[] {
  const rest = all - shown.length;
  return rest > 0 ? [...shown, { editor, text: strings.moreProblems(strings[editor], rest) }] : shown;
}

/** Words as a sentence. */
function sentence(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1) + (/[.?!]$/.test(words) ? "" : ".");
}

/** What a verdict is without of a text next to the manifest. */
export function leftOut(problems: OtherProblem[]): OtherProblem[] {
  return problems.filter(({ isLeftOut }) => isLeftOut);
}

/** Whether a problem of a text next to the manifest may make another verdict than the text that is meant: in the manifest, it is an error. */
export function isError({ isWarning }: OtherProblem): boolean {
  return !isWarning;
}

/** Where a rule lacks the profile that an object names, and Context has others. */
function unused({ documents, contextProfiles }: Review): Other[] {
  const [first] = contextProfiles;
  if (!first) return [];
  const isThere = ({ kind, namespace, name }: Needed): boolean =>
    contextProfiles.some((profile) => profile.kind === kind && profile.name === name && (profile.namespace ?? "") === namespace);
  const texts = documents.flatMap(({ kind = "", ruling }) =>
    (ruling?.undecided ?? []).flatMap(({ query }) => {
      const needed = neededBy(query);
      if (!needed || !/^(Namespaced)?CloudProfile$/.test(needed.kind) || isThere(needed)) return [];
      return strings.otherProfile(contextProfiles, kind, needed);
    }),
  );
  return [...new Set(texts)].map((text) => ({ editor: "context", text, range: first }));
}
