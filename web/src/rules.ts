/** Rules with what they say to people. */

import type { ErrorAnswer, Rule, RulesAnswer, RuleWords } from "./documents.js";

/** A rule with its words. */
export type ExplainedRule = Omit<Rule, "informative"> & RuleWords;

/** Every rule of a provider, with its words. */
export interface ExplainedRules {
  rules: ExplainedRule[];
}

/** Adds the words to what a policy answers. */
export type Explain = (answer: RulesAnswer | ErrorAnswer) => Promise<ExplainedRules | ErrorAnswer>;
