// Answers questions with the policies in Node; see lines.js.
import * as loaders from "trellis-policy";
import { answerLines, loaderOf } from "./lines.js";

await answerLines(async (questions) => {
  const answers = [];
  for (const question of questions) {
    const [loader, options] = loaderOf(question);
    const policy = await loaders[loader](options);
    answers.push(policy.call(question.function, question.request));
  }
  return answers;
});
