import type { Checker } from "trellis-policy/checker";
import { type CompletionOptions, fieldHover, policyCompletion, reviewLinter } from "trellis-policy/codemirror";
import { schemas } from "trellis-policy/schema";

/** For an editor of a part of a Shoot, such as its workers and their networks: `{ spec: { provider: { workers, … } } }`. */
export function partHelp(checker: Checker, shoot: () => object, cloudProfile: string) {
  const linter = reviewLinter({
    review: (text, options) => checker.review({ text, onto: shoot(), context: cloudProfile }, options),
    edits: checker.edits,
  });
  const help: CompletionOptions = {
    schemas,
    onto: shoot,
    choices: (text, place, options) => checker.choices({ text, context: cloudProfile }, place, options),
  };
  return [linter, policyCompletion(help), fieldHover(help)];
}
