// Answers questions with the policies in Chromium; see lines.js.
import { fileURLToPath } from "node:url";
import { launch } from "../browser/chromium.js";
import { serve } from "../browser/server.js";
import { answerLines, loaderOf } from "./lines.js";

const server = await serve({ "/dist/": fileURLToPath(new URL("../dist/", import.meta.url)) });
const browser = await launch();
try {
  const page = await browser.newPage();
  await page.goto(server.url);
  await answerLines((questions) =>
    page.evaluate(async (questions) => {
      const loaders = await import("/dist/index.js");
      const answers = [];
      for (const { function: name, request, loading: [loader, options] } of questions) {
        const policy = await loaders[loader](options);
        answers.push(policy.call(name, request));
      }
      return answers;
    }, questions.map((question) => ({ ...question, loading: loaderOf(question) }))),
  );
} finally {
  await browser.close();
  server.close();
}
