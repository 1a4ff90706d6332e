import { stringify } from "yaml";

/** How many texts are remembered: those of some control planes. */
const MOST = 500;

/** The texts of objects by their JSON. Most objects stay as they are from one edit to the next. */
const texts = new Map<string, string>();

/** An object as YAML that every reader takes for the same values. Secrets are to be masked before. */
export function yamlOf(object: unknown): string {
  const json = JSON.stringify(object);
  const known = texts.get(json);
  if (known !== undefined) return known;
  if (texts.size >= MOST) texts.clear();
  const text = stringify(object, { lineWidth: 0, aliasDuplicateObjects: false, compat: "yaml-1.1" });
  texts.set(json, text);
  return text;
}
