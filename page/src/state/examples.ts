/** The examples of the repository. */

const files = import.meta.glob<string>("../../../examples/*.yaml", { query: "?raw", import: "default", eager: true });

/** The line at the top of a file that says what the program finds in it: it is for tests. */
const EXPECTED = /^# expect: .*\n/;

/** An example, or a document of one. */
export interface Example {
  /** Name of its file, without the ending. */
  name: string;
  /** What it shows: the sentences at its top. */
  summary: string;
  text: string;
}

/** The examples, by name. */
export const examples: Example[] = Object.entries(files)
  .map(([path, file]) => {
    const text = file.replace(EXPECTED, "");
    return { name: nameOf(path), summary: summaryOf(text), text };
  })
  .sort((a, b) => (a.name < b.name ? -1 : 1));

/** The CloudProfiles in them, which a manifest can be judged by. */
export const cloudProfiles: (Example & { provider: string })[] = examples.flatMap(({ name, text }) => {
  const found = text.split(/^---\n/m).find((document) => /^kind: CloudProfile$/m.test(document));
  const provider = /^  type: (\S+)$/m.exec(found ?? "")?.[1];
  return found === undefined || provider === undefined ? [] : [{ name, summary: summaryOf(text), text: found, provider }];
});

/** An example by its name. */
export function exampleOf(name: string): Example | undefined {
  return examples.find((example) => example.name === name);
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1, -".yaml".length);
}

/** The comment at the top, up to its first empty line. */
function summaryOf(text: string): string {
  const lines = text.split("\n");
  const end = lines.findIndex((line) => !/^# ./.test(line));
  return lines.slice(0, end).map((line) => line.slice(2)).join(" ");
}
