/** The examples of the repository: all their texts, which are loaded when they are asked for. */

import { isProvider } from "trellis-policy";
import { withoutExpected } from "./first-example.js";

const files = import.meta.glob<string>("../../../examples/*.yaml", { query: "?raw", import: "default", eager: true });

/** An example, or a document of one. */
export interface Example {
  /** Name of its file, without the ending. */
  name: string;
  /** What it shows: the sentences at its top. */
  summary: string;
  /** The type of its provider; empty where it names none. */
  provider: string;
  text: string;
}

/** The examples, by name. */
export const examples: Example[] = Object.entries(files)
  .map(([path, file]) => {
    const text = withoutExpected(file);
    return { name: nameOf(path), summary: summaryOf(text), provider: providerOf(text), text };
  })
  .sort((a, b) => (a.name < b.name ? -1 : 1));

/** The CloudProfiles in them, which a manifest can be judged by. */
export const cloudProfiles: Example[] = examples.flatMap(({ name, text, provider }) => {
  const found = text.split(/^---\n/m).find((document) => /^kind: CloudProfile$/m.test(document));
  return found === undefined ? [] : [{ name, summary: summaryOf(text), provider, text: found }];
});

/** Examples by provider, in the order of their types: those that have all words of a search in name, provider or summary. */
export function grouped(examples: Example[], search: string): { provider: string; examples: Example[] }[] {
  const words = search.toLowerCase().split(/\s+/);
  const has = ({ name, provider, summary }: Example): boolean => {
    const text = `${name} ${provider} ${summary}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };
  const found = examples.filter(has);
  const all = [...new Set(found.map(({ provider }) => provider))].sort();
  return all.map((provider) => ({ provider, examples: found.filter((example) => example.provider === provider) }));
}

/** An example by its name. */
export function exampleOf(name: string): Example | undefined {
  return examples.find((example) => example.name === name);
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1, -".yaml".length);
}

/** The provider that an example names: by its type, or by the label of a Secret. */
function providerOf(text: string): string {
  const named = text.matchAll(/^ +type: (\w+)$|^provider: *\{? *type: (\w+)|provider\.shoot\.gardener\.cloud\/(\w+)/gm);
  return Array.from(named, ([, type, own, label]) => type ?? own ?? label ?? "").find(isProvider) ?? "";
}

/** The comment at the top, up to its first empty line. */
function summaryOf(text: string): string {
  const lines = text.split("\n");
  const end = lines.findIndex((line) => !/^# ./.test(line));
  return lines.slice(0, end).map((line) => line.slice(2)).join(" ");
}
