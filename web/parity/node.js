// Answers questions with the policies in Node; see lines.js.
import * as loaders from "trellis-policy";
import { answerLines, loaderOf } from "./lines.js";

await answerLines(async (questions) => {
  const answers = [];
  for (const question of questions) {
    const { provider, function: name, request } = question;
    const policy = await loaders[loaderOf(question)]({ provider });
    answers.push(policy.call(name, request));
  }
  return answers;
});
