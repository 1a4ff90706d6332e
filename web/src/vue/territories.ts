/**
 * How an address space becomes a picture. Ranges that touch are a strip, to a scale of its own: with one scale for all,
 * a VPC would be a hair in 2^32 addresses. What is too small for its strip gets a closer look, a strip within the strip.
 */

import type { AddressConflict, AddressGap, AddressRange, AddressRole, AddressSpace } from "../documents.js";
import { blockAround, contains, hull, type Interval, overlap, sizeOf, toNumber } from "./address.js";

/** A range, or a gap between ranges. */
export interface Item extends Interval {
  /** Unlike that of every other item of the answer. */
  key: string;
  range?: AddressRange;
  gap?: AddressGap;
  /** The conflicts that it is part of. */
  conflicts: Conflict[];
}

/** A conflict and its two ranges; of `outside`, the second belongs into the first. */
export interface Conflict {
  conflict: AddressConflict;
  ranges: [Item, Item];
}

/** Where something is drawn: percents of the strip's width from its left, and rems from its top. */
export interface Box {
  left: number;
  width: number;
  top: number;
  height: number;
}

/** An item in a strip. A frame has others inside; of a speck, the closer look shows more. */
export interface Bar extends Box {
  item: Item;
  shape: "frame" | "block" | "gap" | "speck";
}

/** Addresses that ranges share and must not. */
export interface Clash extends Box {
  rules: string[];
  /** The row of its label, in rems from the top. */
  label: number;
}

/** From a range to what it belongs into. */
export interface Arrow extends Box {
  to: "left" | "right";
}

/** A part of the address space to scale. */
export interface Strip extends Interval {
  bars: Bar[];
  clashes: Clash[];
  arrows: Arrow[];
  /** In rems. */
  height: number;
  /** A closer look at a part of it. */
  closer?: Strip;
}

/** The address space of one protocol, to be drawn. */
export interface Territory {
  space: AddressSpace;
  /** Ranges and gaps by first address, larger ones first. */
  items: Item[];
  conflicts: Conflict[];
  strips: Strip[];
  /** How many ranges there are in addition to those. */
  more: number;
}

/** Heights in rems. */
const HEADER = 1.75;
const BLOCK = 2.75;
const BELOW = 0.4;
const ARROW = 1;
const LABEL = 1.5;

/** Most ranges, and most gaps, of an address space that are drawn. */
const MOST_RANGES = 300;

/** Most conflicts that a strip shows: ranges in a heap have as many as their number squared. */
const MOST = 100;

/** Ranges that have others inside, the outermost first; those inside of the frames; and those next to them, in the order of lanes. */
const FRAMES: AddressRole[] = ["reserved", "vpc", "nodes"];
const INSIDE: AddressRole[] = ["zone", "workers", "public", "internal"];
const BESIDE: AddressRole[] = ["pods", "services"];

/** A share of a strip that is too small to see, and how much closer a closer look must be. */
const SPECK = 1.5;
const CLOSER = 8n;

export function territory(space: AddressSpace, number: number): Territory {
  const ranges = space.ranges.slice(0, MOST_RANGES).map((range, at) => item(`${number}-range-${at}`, range, { range }));
  const gaps = space.free.slice(0, MOST_RANGES).map((gap, at) => item(`${number}-gap-${at}`, gap, { gap }));
  const conflicts: Conflict[] = [];
  for (const conflict of space.conflicts) {
    const [a, b] = conflict.ranges.map((at) => ranges[at]);
    if (!a || !b) continue;
    const found: Conflict = { conflict, ranges: [a, b] };
    conflicts.push(found);
    a.conflicts.push(found);
    b.conflicts.push(found);
  }
  const items = [...ranges, ...gaps].sort(byAddress);
  const strips = clusters(items).map((bounds) => {
    const around = blockAround(bounds);
    // A block may be far larger than what is in it, where that lies across its middle.
    return strip(sizeOf(around) <= 4n * sizeOf(bounds) ? around : bounds, items, conflicts, 2);
  });
  return { space, items, conflicts, strips, more: space.ranges.length - ranges.length };
}

function item(key: string, { first, last }: AddressRange | AddressGap, rest: Pick<Item, "range" | "gap">): Item {
  return { key, first: toNumber(first), last: toNumber(last), conflicts: [], ...rest };
}

function byAddress(a: Interval, b: Interval): number {
  if (a.first !== b.first) return a.first < b.first ? -1 : 1;
  return a.last === b.last ? 0 : a.last > b.last ? -1 : 1;
}

/** The hulls of intervals that overlap or touch, by address. */
function clusters(intervals: Interval[]): Interval[] {
  const found: Interval[] = [];
  for (const interval of [...intervals].sort(byAddress)) {
    const current = found.at(-1);
    if (current && interval.first <= current.last + 1n) found[found.length - 1] = hull(current, interval);
    else found.push({ first: interval.first, last: interval.last });
  }
  return found;
}

function strip(bounds: Interval, all: Item[], conflicts: Conflict[], depth: number): Strip {
  const items = all.filter((item) => contains(bounds, item));
  const across = (interval: Interval) => scale(bounds, interval);
  const closer = depth > 0 ? closerLook(bounds, items) : undefined;
  const isSpeck = (item: Item) => closer !== undefined && contains(closer, item);

  const bars: Bar[] = [];
  const place = (item: Item, shape: Bar["shape"], top: number, height: number) =>
    bars.push({ item, shape: isSpeck(item) ? "speck" : shape, top, height, ...across(item) });
  const ofRole = (...roles: AddressRole[]) => items.filter(({ range }) => range && roles.includes(range.role));
  let top = 0;
  const lane = (members: Item[], gaps: Item[] = []) => {
    const rows = apart(members);
    if (rows.length === 0 && gaps.length > 0) rows.push([]);
    for (const [at, row] of rows.entries()) {
      if (at === 0) for (const gap of gaps) place(gap, "gap", top, BLOCK);
      for (const member of row) place(member, "block", top, BLOCK);
      top += BLOCK + BELOW;
    }
  };

  const close: (() => void)[] = [];
  for (const role of FRAMES) {
    const opened = apart(ofRole(role)).map((row, at) => ({ row, top: top + at * HEADER }));
    if (opened.length === 0) continue;
    top += opened.length * HEADER;
    close.push(() => {
      for (const { row, top: start } of opened) for (const frame of row) place(frame, "frame", start, top - start);
      top += BELOW;
    });
  }
  const isReserved = ofRole("reserved").length > 0;
  lane(ofRole(...INSIDE), items.filter(({ gap }) => gap));
  // What the closer look shows is not shown here as well.
  const members = new Set(items);
  const inside = conflicts
    .filter(({ ranges }) => ranges.every((item) => members.has(item)) && !ranges.every(isSpeck))
    .slice(0, MOST);
  const arrows = inside
    .filter(({ conflict }) => conflict.kind === "outside")
    .map(({ ranges: [into, stray] }) => ({ ...arrow(across(into), across(stray)), top: top - BELOW, height: ARROW }))
    .filter(({ width }) => width > 0);
  if (arrows.length > 0) top += ARROW - BELOW;
  while (close.length > (isReserved ? 1 : 0)) close.pop()?.();
  for (const role of BESIDE) lane(ofRole(role));
  close.pop()?.();

  const clashes = clashesOf(inside, bars, across);
  const labels = apart(clashes.map((clash) => ({ first: clash.left, last: clash.left + Math.max(clash.width, 1), clash })));
  for (const [at, row] of labels.entries()) for (const { clash } of row) clash.label = top + at * LABEL;
  return {
    ...bounds,
    // Frames are found behind what is in them.
    bars: bars.sort((a, b) => depthOf(a) - depthOf(b) || byAddress(a.item, b.item)),
    clashes,
    arrows,
    height: top + labels.length * LABEL,
    ...(closer && { closer: strip(closer, items, conflicts, depth - 1) }),
  };
}

function depthOf({ item, shape }: Bar): number {
  if (item.range === undefined) return FRAMES.length;
  const depth = FRAMES.indexOf(item.range.role);
  return depth < 0 || shape === "block" ? FRAMES.length + 1 : depth;
}

/** Where an interval is in a strip, in percents. */
function scale(bounds: Interval, { first, last }: Interval): Pick<Box, "left" | "width"> {
  const percent = (addresses: bigint) => Number((addresses * 10n ** 9n) / sizeOf(bounds)) / 1e7;
  return { left: percent(first - bounds.first), width: percent(last - first + 1n) };
}

/** The block around everything that is too small to see, if a look at it would be much closer. */
function closerLook(bounds: Interval, items: Item[]): Interval | undefined {
  const specks = items.filter((item) => item.range && scale(bounds, item).width < SPECK);
  const [first, ...rest] = specks;
  if (!first) return undefined;
  const around = blockAround(rest.reduce<Interval>(hull, first));
  return contains(bounds, around) && sizeOf(around) * CLOSER <= sizeOf(bounds) ? around : undefined;
}

/** Rows in which nothing overlaps; the first is fullest. */
function apart<T extends { first: bigint | number; last: bigint | number }>(intervals: T[]): T[][] {
  const rows: T[][] = [];
  for (const interval of intervals) {
    const row = rows.find((row) => row.every((other) => other.last < interval.first || interval.last < other.first));
    if (row) row.push(interval);
    else rows.push([interval]);
  }
  return rows;
}

/** The clashes of ranges, one for all that share the same addresses. */
function clashesOf(conflicts: Conflict[], bars: Bar[], across: (interval: Interval) => Pick<Box, "left" | "width">): Clash[] {
  const found = new Map<string, Clash>();
  const barOf = new Map(bars.map((bar) => [bar.item, bar]));
  for (const { conflict, ranges } of conflicts) {
    const [a, b] = ranges.map((item) => barOf.get(item));
    if (conflict.kind !== "overlap" || !a || !b || !overlap(a.item, b.item)) continue;
    const first = a.item.first > b.item.first ? a.item.first : b.item.first;
    const last = a.item.last < b.item.last ? a.item.last : b.item.last;
    const rules = conflict.rule === undefined ? [] : [conflict.rule];
    const top = Math.min(a.top, b.top);
    const bottom = Math.max(a.top + a.height, b.top + b.height);
    const known = found.get(`${first}-${last}`);
    if (!known) {
      found.set(`${first}-${last}`, { ...across({ first, last }), top, height: bottom - top, rules, label: 0 });
      continue;
    }
    known.height = Math.max(known.top + known.height, bottom) - Math.min(known.top, top);
    known.top = Math.min(known.top, top);
    known.rules = [...new Set([...known.rules, ...rules])];
  }
  return [...found.values()];
}

/** From the middle of what is outside to just within the nearer end of what it belongs into. */
function arrow(into: Pick<Box, "left" | "width">, stray: Pick<Box, "left" | "width">): Omit<Arrow, "top" | "height"> {
  const middle = stray.left + stray.width / 2;
  const within = Math.min(into.width / 2, 4);
  if (middle < into.left + into.width / 2) return { left: middle, width: into.left + within - middle, to: "right" };
  const end = into.left + into.width - within;
  return { left: end, width: middle - end, to: "left" };
}
