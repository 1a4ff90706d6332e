/** What rules say to people. A module holds no words, because they lie in a file next to it. */

import { unloaded } from "./absent.js";
import type { RulesInWords, RuleWords } from "./documents.js";
import { LoadError, reason } from "./errors.js";
import { fetched, type Read } from "./module.js";
import type { Explain } from "./rules.js";
import { LOAD_TIMEOUT } from "./wait.js";

/** Reads the words of a provider's rules when they are first asked for; after a failure, the next call reads them again. */
export function explainer(words: () => URL, read: Read): Explain {
  let file: Promise<RulesInWords> | undefined;
  return async (answer) => {
    if ("error" in answer) return answer;
    try {
      const url = words();
      file ??= parsed(url, read);
      const found = await file;
      return { rules: answer.rules.map(({ informative: _, ...rule }) => ({ ...rule, ...wordsOf(rule.id, found, url) })) };
    } catch (thrown) {
      file = undefined;
      return unloaded("WordsUnavailable", thrown);
    }
  };
}

async function parsed(url: URL, read: Read): Promise<RulesInWords> {
  const found = await fetched(url, read, AbortSignal.timeout(LOAD_TIMEOUT));
  if (found instanceof Response && !found.ok) throw new LoadError(`${url} was answered with status ${found.status}`);
  try {
    return found instanceof Response ? await found.json() : JSON.parse(new TextDecoder().decode(found));
  } catch (cause) {
    throw new LoadError(`cannot read ${url} as JSON: ${reason(cause)}`, { cause });
  }
}

function wordsOf(id: string, file: RulesInWords, url: URL): RuleWords {
  const found = Object.hasOwn(file, id) ? file[id] : undefined;
  if (found === undefined) throw new LoadError(`${url} has no words for the rule \`${id}\``);
  return found;
}
