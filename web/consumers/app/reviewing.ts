import { autocompletion } from "@codemirror/autocomplete";
import { yaml } from "@codemirror/lang-yaml";
import type { Checker, Review } from "trellis-policy/checker";
import {
  type CompletionOptions,
  fieldHover,
  hiddenValues,
  hideValues,
  invisibleCharacters,
  policyCompletion,
  reviewLinter,
} from "trellis-policy/codemirror";
import { schemas } from "trellis-policy/schema";

/** For an editor of any objects of Gardener; `show` gets what there is to say of them, next to the text. */
export function reviewing(checker: Checker, cloudProfile: string, show: (review: Review) => void) {
  const linter = reviewLinter({
    review: (text, options) => checker.review({ text, context: cloudProfile }, options),
    edits: checker.edits,
    onReview: (review, view) => {
      hideValues(view, review.documents.flatMap(({ secrets }) => secrets));
      show(review);
    },
  });
  const help: CompletionOptions = {
    schemas,
    choices: (text, place, options) => checker.choices({ text, context: cloudProfile }, place, options),
  };
  return [yaml(), autocompletion(), policyCompletion(help), fieldHover(help), linter, hiddenValues(), invisibleCharacters()];
}
