// Answers questions with the policies in Node; see lines.js.
import * as loaders from "trellis-policy";
import { judging, mutating } from "../dist/functions.js";
import { mutated } from "../dist/generated/providers.js";
import { answerLines, loaderOf } from "./lines.js";

/** The policy that answers a question; what webhooks change is an entry point of its own. */
async function policyOf(question) {
  if (question.function in mutating && mutated.includes(question.provider) && !(question.function in judging)) {
    return (await import(`trellis-policy/${question.provider}/mutations`)).loadMutations();
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
