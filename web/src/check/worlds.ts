/**
 * Judging on where a policy cannot read what is written: the object is judged again with what the findings assume. And whether the object
 * is right once a fix is made.
 */

import type { FindingCause, PatchOperation } from "../documents.js";
import { patchJson } from "../yaml/patch.js";
import { borrowedFixes, isGuess } from "./borrowed.js";
import { isSame, type PlacedFinding } from "./finding.js";
import type { Opinion, Ruling } from "./join.js";
import { isEqual, member } from "./objects.js";
import { isWithin, tokens } from "../yaml/tree.js";

/** How often the object is changed: behind a value that cannot be read may be another one. */
const ROUNDS = 8;
/** The most findings from whose changes judging goes on. A person who fixes these sees the others. */
const CAUSES = 32;
/** The most findings whose changes are tried one by one, to see what follows from which. */
const TRIALS = 8;
/** The most fixes that are tried at a time. What nobody tried is not certain. */
const FIXES = 16;

/** Which fixes of an object were tried, and whether they are right. Judging the same object again with the same record tries others. */
export type TriedFixes = Map<string, boolean>;

/** What the policies said of the object with the changes that some findings assume. */
export interface World {
  assumes: FindingCause[];
  opinions: Opinion[];
}

/** What policies said of the object as it is, and with what findings assume. */
export interface Said {
  opinions: Opinion[];
  /** In each world the changes of the world before, and more. */
  worlds: World[];
  /** Each with the changes of one finding. */
  trials: World[];
}

/** An object that is given, and the one before, which is absent on creation, as JSON texts. */
export interface Update {
  object: string;
  old?: string | undefined;
  /** Whether a person wrote both as one text. */
  isOfItself: boolean;
  /** Keys that have another name than in the text: the pointer there, and the one here. */
  renamed?: [string, string][];
}

/** How an object is judged on. */
interface Judging {
  /** What the policies say of the update with some changes. */
  ask: (update: Update) => Promise<Opinion[]>;
  /** One ruling of all that was said. */
  join: (said: Said) => Promise<Ruling>;
  /** The fixes that were tried before; none by default. */
  tried?: TriedFixes | undefined;
}

/** Judges an object that is given, of which policies have these opinions. */
export async function judgeOn(given: Update, opinions: Opinion[], { ask, join, tried }: Judging): Promise<Ruling> {
  const said: Said = { opinions, worlds: [], trials: [] };
  let ruling = await join(said);
  const known: FindingCause[] = [];
  // The object with all that policies cannot read replaced.
  let readable = given;
  const isKnown = ({ rule, pointer }: PlacedFinding): boolean => known.some((one) => one.rule === rule && one.pointer === pointer);
  for (let round = 0; round <= ROUNDS; round += 1) {
    const open = ruling.findings.filter((finding) => finding.rule !== undefined && (finding.assume ?? []).length > 0 && !isKnown(finding));
    // Names of which several may be meant come last, because each of them brings findings that only repeat the mistake.
    const guesses = round === ROUNDS || open.every(isGuess);
    const causes: { cause: FindingCause; change: PatchOperation[] }[] = [];
    let update = readable;
    for (const finding of open.filter((one) => isGuess(one) === guesses)) {
      if (known.length + causes.length >= CAUSES) break;
      const { rule = "", pointer, assume = [] } = finding;
      // What does not fit the object, because another policy changed that before, changes nothing.
      const changed = assuming(update, assume);
      if (changed === undefined) continue;
      update = changed;
      causes.push({ cause: { rule, pointer }, change: assume });
    }
    if (causes.length === 0) break;
    if (causes.length > 1) {
      for (const { cause, change } of causes.slice(0, Math.max(0, TRIALS - said.trials.length))) {
        const alone = assuming(readable, change);
        if (alone !== undefined) said.trials.push({ assumes: [cause], opinions: await ask(alone) });
      }
    }
    known.push(...causes.map(({ cause }) => cause));
    said.worlds.push({ assumes: [...known], opinions: await ask(update) });
    ruling = await join(said);
    if (guesses) break;
    readable = update;
  }
  return { ...ruling, ...(await triedFixes(readable, ruling.findings, { ask, join, tried })) };
}

/** The findings without those fixes that bring further errors, of an object of which policies can read all. */
async function triedFixes(readable: Update, findings: PlacedFinding[], { ask, join, tried = new Map() }: Judging): Promise<Pick<Ruling, "findings" | "untried">> {
  let trials = 0;
  const asNew = async () => (await join({ opinions: await ask({ ...readable, old: undefined, isOfItself: false }), worlds: [], trials: [] })).findings;
  const borrowed = await borrowedFixes(findings, readable.isOfItself, readable.old === undefined ? undefined : asNew);
  const isRight = async (finding: PlacedFinding, fix: PatchOperation[]): Promise<boolean> => {
    const { assume = [] } = finding;
    const isBorrowed = borrowed.has(finding);
    if (!isBorrowed && JSON.stringify(fix) === JSON.stringify(assume) && !isGuess(finding)) {
      // The object that can be read has this fix.
      return !findings.some((other) => other !== finding && other.severity === "error" && other.assumed && fix.some(({ path }) => isWithin(other.pointer, path)));
    }
    const update = fixed(readable, fix);
    // A fix of what a default set does not fit the object that is sent.
    if (update === undefined) return !isBorrowed;
    const name = JSON.stringify([finding.source, finding.rule, finding.pointer, fix]);
    const before = tried.get(name);
    if (before !== undefined) return before;
    trials += 1;
    if (trials > FIXES) return false;
    const after = await join({ opinions: await ask(update), worlds: [], trials: [] });
    // A new value that is an error for another reason fixes nothing.
    const isFine = (other: PlacedFinding): boolean =>
      other.severity !== "error" || (findings.some((one) => isSame(one, other)) && (finding.atKey === true || other.pointer !== finding.pointer));
    // What ends no error is to bring nothing that a person has to decide.
    const isHarmless = (): boolean =>
      !after.findings.some((other) => isSame(other, finding)) &&
      (after.findings.every((other) => findings.some((one) => isSame(one, other))) || findings.some((one) => one.severity === "error" && !after.findings.some((other) => isSame(one, other))));
    const isCertain = after.error === undefined && after.findings.every(isFine) && (!isBorrowed || isHarmless());
    tried.set(name, isCertain);
    return isCertain;
  };
  const kept: PlacedFinding[] = [];
  for (const finding of findings) {
    const { fix: own, ...rest } = finding;
    const fix = own ?? borrowed.get(finding);
    kept.push(fix && (await isRight(finding, fix)) ? { ...finding, fix } : rest);
  }
  return { findings: kept, ...(trials > FIXES && { untried: trials - FIXES }) };
}

/**
 * The update as a finding assumes it; nothing where the changes do not fit the object. What the old object has as the new one has it, is
 * assumed of both: else a section under a misspelt key would be missing in one of them, and that would be an edit.
 */
function assuming(update: Update, ofText: PatchOperation[]): Update | undefined {
  const changes = changesHere(update, ofText);
  const object = patched(update.object, changes);
  if (object === undefined) return undefined;
  const renamed = [...(update.renamed ?? []), ...changes.flatMap((one): [string, string][] => ("from" in one ? [[one.from, one.path]] : []))];
  if (update.old === undefined) return { ...update, object, renamed };
  const [now, before] = [update.object, update.old].map((json): unknown => JSON.parse(json));
  const places = changes.flatMap((change) => ("from" in change ? [change.path, change.from] : [change.path]));
  const isSame = places.every((pointer) => isEqual(at(now, pointer), at(before, pointer)));
  return { ...update, object, renamed, old: (isSame ? patched(update.old, changes) : undefined) ?? update.old };
}

/** Changes of the text as changes of an object with other names. */
function changesHere({ renamed = [] }: Update, changes: PatchOperation[]): PatchOperation[] {
  const here = (pointer: string): string =>
    renamed.reduce((place, [written, name]) => (isWithin(place, written) ? `${name}${place.slice(written.length)}` : place), pointer);
  return changes.map((change) => ({ ...change, path: here(change.path), ...("from" in change && { from: here(change.from) }) }));
}

/** The update once a person made a fix; nothing where it does not fit the object. The old object stays, unless it is the same text. */
function fixed(update: Update, fix: PatchOperation[]): Update | undefined {
  const assumed = assuming(update, fix);
  return assumed && (update.isOfItself ? assumed : { ...assumed, old: update.old });
}

/** The object with some changes, as JSON text; nothing where they do not fit it. */
function patched(object: string, changes: PatchOperation[]): string | undefined {
  const whole: unknown = JSON.parse(object);
  // A key that the person wrote, too, is not what the misspelt one means.
  if (changes.some((change) => change.op === "move" && at(whole, change.path) !== undefined)) return undefined;
  return patchJson(object, changes);
}

function at(whole: unknown, pointer: string): unknown {
  return tokens(pointer).reduce(member, whole);
}
