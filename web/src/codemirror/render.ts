/** What people read, as plain DOM: texts are never parsed as HTML. */

import type { Choice } from "../choices/place.js";
import type { ExplainedRule } from "../rules.js";
import type { PlacedFinding } from "../check/finding.js";
import { detailOf, placeOf, sinceWords } from "../detail.js";
import { codeOf, splitInvisible } from "../invisible.js";
import { type Field, attributesOf } from "./schema.js";

type Child = Node | string | undefined;

/** An element with a class `cm-trellis-…` and its children; those that are undefined are left out. */
export function element(tag: keyof HTMLElementTagNameMap, name: string, ...children: Child[]): HTMLElement {
  const made = document.createElement(tag);
  made.className = `cm-trellis-${name}`;
  made.append(...children.filter((child) => child !== undefined));
  return made;
}

/** A pair of backticks around words. A backtick within a word is a person's own. */
const CODE = /(?<!\w)`([^`]+)`(?!\w)/;

/** A text in which what stands between a pair of backticks is code. */
function prose(tag: keyof HTMLElementTagNameMap, name: string, text: string): HTMLElement {
  const parts = text.split(CODE).flatMap((part, at) => (at % 2 === 1 ? [element("code", "code", ...seen(part))] : seen(part)));
  return element(tag, name, ...parts);
}

/** A text whose invisible characters are seen. */
function seen(text: string): Child[] {
  return splitInvisible(text).map((part, at) => (at % 2 === 1 ? element("span", "invisible", codeOf(part)) : part));
}

/** A finding, and the path of its value where a text that is but a part does not have that. */
type Shown = PlacedFinding & { elsewhere?: string };

function elsewhereWords(path: string): string {
  return `\`${path}\` is not in this text.`;
}

/** What is wrong and what to do. */
export function findingElement(finding: Shown): HTMLElement {
  const { field, remedy, elsewhere, setBy, since } = finding;
  const detailElement = prose("span", "detail", detailOf(finding));
  if (field) detailElement.prepend(element("code", "code", ...seen(field)), ": ");
  return element(
    "span",
    "finding",
    detailElement,
    prose("span", "remedy", remedy),
    elsewhere ? prose("span", "default", elsewhereWords(elsewhere)) : undefined,
    setBy && prose("span", "default", `Set by default: ${setBy.reason}`),
    since === undefined ? since : prose("span", "default", sinceWords(since)),
  );
}

/** The same as one text, for those who hear it. */
export function findingText(finding: Shown): string {
  const { field, remedy, elsewhere, setBy, since } = finding;
  const detail = detailOf(finding);
  const reason = setBy && `Set by default: ${setBy.reason}`;
  const parts = [field ? `${placeOf(finding)}: ${detail}` : detail, remedy, elsewhere && elsewhereWords(elsewhere), reason, since && sinceWords(since)];
  return parts.filter((part) => part).join("\n");
}

/** What is wrong with a text, and what to do. */
export function problemElement(detail: string, remedy: string): HTMLElement {
  return element("span", "finding", prose("span", "detail", detail), prose("span", "remedy", remedy));
}

/** A rule: what it says, why it is there, and how to fix what it finds. */
export function ruleElement({ id, summary, why, fix }: ExplainedRule): HTMLElement {
  return element(
    "section",
    "rule",
    element("div", "title", element("span", "id", id), " ", prose("span", "summary", summary)),
    why ? prose("p", "why", why) : undefined,
    fix ? prose("p", "fix", fix) : undefined,
  );
}

/** A field of an object: its name, its type, and what it means. */
export function fieldElement(field: Field): HTMLElement {
  const { name, description, values, examples, standard, deprecated } = field;
  return element(
    "section",
    deprecated === undefined ? "field" : "field cm-trellis-deprecated",
    element("div", "title", element("code", "name", name), " ", element("span", "type", attributesOf(field))),
    description ? prose("p", "description", description) : undefined,
    deprecated ? prose("p", "deprecation", `Deprecated: ${deprecated}`) : undefined,
    standard === undefined ? undefined : prose("p", "standard", `Default: \`${standard}\``),
    values.length > 0 ? prose("p", "values", `One of ${listed(values)}`) : undefined,
    examples.length > 0 ? prose("p", "values", `For example ${listed(examples)}`) : undefined,
  );
}

/** A value of a CloudProfile, and what that says of it. */
export function choiceElement({ value, detail, isDeprecated }: Choice): HTMLElement {
  const name = isDeprecated ? "title cm-trellis-deprecated" : "title";
  return element("div", name, element("code", "name", ...seen(value)), " ", element("span", "type", ...seen(detail)));
}

function listed(values: string[]): string {
  return values.map((value) => `\`${value}\``).join(", ");
}
