/**
 * Keys that are misspelt in the texts that a manifest is only compared with or refers to: what is there is not read, and rules blame
 * the manifest for what it lacks.
 */

import { isSame, type PlacedFinding, place } from "../check/finding.js";
import { type Asked, judge, requestOf, sentBy } from "../check/judge.js";
import { isSecretKind, type TextObject, textAt } from "../check/objects.js";
import { detailOf, placeOf } from "../detail.js";
import type { PatchOperation } from "../documents.js";
import { patchJson } from "../yaml/patch.js";
import { tokens } from "../yaml/tree.js";
import type { OtherProblem } from "./interface.js";
import { isSameList } from "./last.js";
import type { OtherObjects } from "./texts.js";

/** A misspelt key of a text other than the manifest. */
export interface WrongKey {
  /** The text, and what people call it. */
  of: OtherObjects;
  called: string;
  /** The object that has it. */
  json: string;
  /** What gives the key the name that is most likely meant; absent where no name is near. */
  change: PatchOperation[] | undefined;
  line: number;
  problem: OtherProblem;
}

/** Who judges an object, if anybody does. */
export type Judges = (object: TextObject) => Asked[];

/** Looks for misspelt keys, once for each object as long as the policies and what they know of the garden stay the same. */
export class KeyReader {
  private found = new Map<string, Promise<PlacedFinding[]>>();
  private settings: unknown[] = [];

  /**
   * The misspelt keys of texts, by what people call these; of `warned`, those too that a newer Gardener may have. `settings` is what else the
   * answer depends on.
   */
  async read(texts: Record<string, OtherObjects>, warned: OtherObjects, judges: Judges, garden: Record<string, string>, settings: unknown[]): Promise<WrongKey[]> {
    const before = isSameList(settings, this.settings) ? this.found : new Map<string, Promise<PlacedFinding[]>>();
    this.settings = settings;
    this.found = new Map();
    const all = Object.entries(texts).flatMap(([called, of]) =>
      of.objects.map(async (object): Promise<WrongKey[]> => {
        const document = of.of.documents[object.document];
        if (!document || document.problems.length > 0 || isSecretKind(textAt(object.object, "kind"))) return [];
        const { json } = object;
        const known = before.get(json) ?? misspelt(json, judges(object), garden);
        this.found.set(json, known);
        return (await known).filter(({ severity }) => severity === "error" || of === warned).map((finding) => {
          const { range = { from: document.from, to: document.from }, fix, assume: change, remedy, rule = "", severity } = place(finding, [], document, false);
          const line = of.of.lineAt(range.from);
          const detail = detailOf(finding);
          const field = placeOf(finding);
          const message = detail.includes(field) ? detail : `\`${field}\`: ${detail}`;
          const reported = { rule, document: object.document, ...(fix && { fix }), ...(severity === "warning" && { isWarning: true as const }) };
          return { of, called, json, change, line, problem: { ...range, line, message, remedy, readable: true, ...reported } };
        });
      }),
    );
    return (await Promise.all(all)).flat();
  }
}

/** The findings of misspelt keys. One that no known key is near to may be of a newer Gardener, which is a warning. */
async function misspelt(json: string, asked: Asked[], garden: Record<string, string>): Promise<PlacedFinding[]> {
  if (asked.length === 0) return [];
  const { ruling } = await judge(asked, json, requestOf({ ...sentBy({ isOfItself: false }), ...garden }), [], { keepsAssumed: true });
  return ruling.findings.filter(({ atKey }) => atKey === true);
}

/** An object whose misspelt keys have the names that are meant. */
function amended(object: TextObject, keys: WrongKey[]): TextObject {
  const json = keys.reduce((text, key) => (key.json === object.json && key.change && patchJson(text, key.change)) || text, object.json);
  return json === object.json ? object : { json, object: JSON.parse(json) as unknown };
}

/** Objects with such names; the same list where nothing changes. */
export function withKeys(objects: TextObject[], keys: WrongKey[]): TextObject[] {
  const changed = objects.map((object) => amended(object, keys));
  return changed.every((object, at) => object === objects[at]) ? objects : changed;
}

/** More keys are not tried one by one. */
const TRIALS = 8;

/**
 * Findings that say where their cause is: those that are gone as soon as a key has the name that is meant. `ask` judges the object
 * next to texts with such names; nothing where that changes nothing for the object.
 */
export async function traced(findings: PlacedFinding[], keys: WrongKey[], ask: (keys: WrongKey[]) => Promise<PlacedFinding[] | undefined>): Promise<PlacedFinding[]> {
  const causes = new Map<PlacedFinding, WrongKey>();
  const named = keys.filter(({ change }) => change !== undefined);
  const trials = [...named.slice(0, TRIALS).map((key) => [key]), ...(named.length > 1 ? [named] : [])];
  for (const trial of findings.length > 0 ? trials : []) {
    const left = await ask(trial);
    const [first] = trial;
    if (!left || !first) continue;
    for (const finding of findings) {
      if (!causes.has(finding) && !left.some((other) => isSame(other, finding))) causes.set(finding, first);
    }
  }
  return findings.map((finding) => {
    const cause = causes.get(finding);
    if (!cause) return finding;
    // With the right key, there is nothing to change here.
    const { fix: _, choices: __, ...rest } = finding;
    return { ...rest, remedy: `${renaming(cause)} in line ${cause.line} of ${cause.called}: this follows from it.` };
  });
}

/** What a person does to a key. */
function renaming({ change = [] }: WrongKey): string {
  const [names] = change.flatMap((one) => (one.op === "move" ? [[one.from, one.path].map((pointer) => `\`${tokens(pointer).at(-1) ?? ""}\``)] : []));
  return names ? `Rename ${names.join(" to ")}` : "Fix the key";
}
