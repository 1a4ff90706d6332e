// Answers questions with the policies in Node; see lines.js.
import { load, loadInfrastructure } from "trellis-policy";
import { answerLines, isOfInfrastructure } from "./lines.js";

await answerLines(async (questions) => {
  const answers = [];
  for (const { provider, function: name, request } of questions) {
    const isOther = isOfInfrastructure(name);
    const policy = await (isOther ? loadInfrastructure : load)({ provider });
    answers.push(policy.call(name, request));
  }
  return answers;
});
