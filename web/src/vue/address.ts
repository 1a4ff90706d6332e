/** Addresses and their ranges as numbers, and back to texts. */

import type { AddressFamily } from "../documents.js";

/** Addresses from the first to the last, both included. */
export interface Interval {
  first: bigint;
  last: bigint;
}

const BITS = { IPv4: 32, IPv6: 128 };

/** The number of an address, whose text is one that a policy wrote. */
export function toNumber(address: string): bigint {
  if (!address.includes(":")) return fold(address.split("."), 8n, 10);
  const [head = "", tail] = address.split("::").map((half) => groups(half));
  if (tail === undefined) return fold(head as string[], 16n, 16);
  const zeros = new Array<string>(Math.max(0, 8 - head.length - tail.length)).fill("0");
  return fold([...head, ...zeros, ...tail], 16n, 16);
}

/** The groups of a part of an IPv6 address, whose last two may be written as an IPv4 address. */
function groups(part: string): string[] {
  if (part === "") return [];
  return part.split(":").flatMap((group) => {
    if (!group.includes(".")) return [group];
    const value = toNumber(group);
    return [(value >> 16n).toString(16), (value & 0xffffn).toString(16)];
  });
}

function fold(digits: string[], bits: bigint, radix: number): bigint {
  return digits.reduce((sum, digit) => (sum << bits) | BigInt(Number.parseInt(digit, radix)), 0n);
}

/** The text of an address; IPv6 as RFC 5952 has it. */
export function toText(address: bigint, family: AddressFamily): string {
  if (family === "IPv4") return [24n, 16n, 8n, 0n].map((shift) => (address >> shift) & 0xffn).join(".");
  const groups = Array.from({ length: 8 }, (_, at) => (address >> BigInt(112 - 16 * at)) & 0xffffn);
  const text = groups.map((group) => group.toString(16)).join(":");
  const zeros = [...text.matchAll(/\b0(:0)+\b/g)].map(([run]) => run);
  const longest = zeros.reduce((best, run) => (run.length > best.length ? run : best), "");
  return longest === "" ? text : text.replace(new RegExp(`(^|:)${longest}($|:)`), "::");
}

/** How many addresses there are. */
export function sizeOf({ first, last }: Interval): bigint {
  return last - first + 1n;
}

/** Which power of two a number is, if it is one. */
export function exponentOf(size: bigint): number | undefined {
  const digits = size.toString(2);
  return /^10*$/.test(digits) ? digits.length - 1 : undefined;
}

/** The smallest block that holds all of an interval. */
export function blockAround({ first, last }: Interval): Interval {
  const free = BigInt((first ^ last).toString(2).length);
  const host = first === last ? 0n : (1n << free) - 1n;
  return { first: first & ~host, last: first | host };
}

/** An interval in CIDR notation, where it is one block. */
export function toCidr(interval: Interval, family: AddressFamily): string | undefined {
  const exponent = exponentOf(sizeOf(interval));
  if (exponent === undefined || interval.first % sizeOf(interval) !== 0n) return undefined;
  return `${toText(interval.first, family)}/${BITS[family] - exponent}`;
}

export function overlap(a: Interval, b: Interval): boolean {
  return a.first <= b.last && b.first <= a.last;
}

export function contains(outer: Interval, inner: Interval): boolean {
  return outer.first <= inner.first && inner.last <= outer.last;
}

/** The smallest interval that holds both. */
export function hull(a: Interval, b: Interval): Interval {
  return { first: a.first < b.first ? a.first : b.first, last: a.last > b.last ? a.last : b.last };
}
