// Answers questions with the policies in Node; see lines.js.
import * as loaders from "trellis-policy";
import { judging, mutating, planning } from "../dist/functions.js";
import { mutated, plannedFurther } from "../dist/generated/providers.js";
import { answerLines, loaderOf } from "./lines.js";

/** The policy that answers a question; what webhooks change, and what plans every kind, are entry points of their own. */
async function policyOf(question) {
  const { provider, function: name } = question;
  if (!(name in judging)) {
    if (name in mutating && mutated.includes(provider)) return (await import(`trellis-policy/${provider}/mutations`)).loadMutations();
    if (name in planning && plannedFurther.includes(provider)) return (await import(`trellis-policy/${provider}/plans`)).loadPlans();
  }
  const [loader, options] = loaderOf(question);
  return loaders[loader](options);
}

await answerLines(async (questions) => {
  const answers = [];
  for (const question of questions) {
    const policy = await policyOf(question);
    answers.push(policy.call(question.function, question.request));
  }
  return answers;
});
