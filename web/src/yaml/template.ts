/** Texts that programs fill in before anybody reads them as YAML. */

import { type Problem, template } from "./problem.js";

/** How such programs mark what they fill in. */
const MARK = /\{\{.*?\}\}|\{%.*?%\}|\$\{.*?\}|<%.*?%>/;

/** The problem that a text is a template, where the line of an unreadable place has such a mark, or one of its neighbours. */
export function templateIn(text: string, problems: Problem[]): Problem | undefined {
  for (const { from, readable } of problems) {
    if (readable) continue;
    const start = text.lastIndexOf("\n", from - 1) + 1;
    for (const line of [start, text.lastIndexOf("\n", start - 2) + 1, text.indexOf("\n", from) + 1]) {
      const end = text.indexOf("\n", line);
      const found = MARK.exec(text.slice(line, end < 0 ? undefined : end));
      if (found) return template({ from: line + found.index, to: line + found.index + found[0].length });
    }
  }
  return undefined;
}
