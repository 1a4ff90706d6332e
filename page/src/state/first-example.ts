/** The example of the first visit: it shows what the page is for. */

import file from "../../../examples/five-mistakes.yaml?raw";

/** The line at the top of a file that says what the program finds in it: it is for tests. */
const EXPECTED = /^# expect: .*\n/;

/** The text of an example, as people see it. */
export function withoutExpected(file: string): string {
  return file.replace(EXPECTED, "");
}

export const FIRST = { name: "five-mistakes", text: withoutExpected(file) };
