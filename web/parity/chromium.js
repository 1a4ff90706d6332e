// Answers questions with the policies in Chromium; see lines.js.
import { fileURLToPath } from "node:url";
import { launch } from "../browser/chromium.js";
import { serve } from "../browser/server.js";
import { answerLines, isOfInfrastructure } from "./lines.js";

const server = await serve({ "/dist/": fileURLToPath(new URL("../dist/", import.meta.url)) });
const browser = await launch();
try {
  const page = await browser.newPage();
  await page.goto(server.url);
  await answerLines((questions) =>
    page.evaluate(async (questions) => {
      const { load, loadInfrastructure } = await import("/dist/index.js");
      const answers = [];
      for (const { provider, function: name, request, isOfInfrastructure } of questions) {
        const policy = await (isOfInfrastructure ? loadInfrastructure : load)({ provider });
        answers.push(policy.call(name, request));
      }
      return answers;
    }, questions.map((question) => ({ ...question, isOfInfrastructure: isOfInfrastructure(question.function) }))),
  );
} finally {
  await browser.close();
  server.close();
}
