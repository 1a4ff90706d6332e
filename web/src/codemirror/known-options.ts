/** The options of extensions: one that is misspelt would be left out in silence. */

/** Refuses options that an extension does not have. `known` has the names of those that it has. */
export function refuseUnknown<Options extends object>(extension: string, options: Options, known: Record<keyof Options, true>): void {
  const names = Object.keys(known);
  const other = Object.keys(options).find((name) => !names.includes(name));
  if (other !== undefined) throw new TypeError(`\`${extension}\` has no option \`${other}\`; there are ${names.join(", ")}`);
}
