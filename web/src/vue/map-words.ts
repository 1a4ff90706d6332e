/** What the components say of addresses. Words between backticks are shown as code. */

import type { AddressFamily, AddressRole } from "../documents.js";
import { assignedIpv6, type NamedRange, namedRange, networkInSentence, roleWord, shortRoleWord } from "./cloud-words.js";
import { count, sentence } from "./numbers.js";

/** In English. */
export const map = {
  empty: "This object names no ranges of addresses.",
  label: (family: AddressFamily, ranges: number, conflicts: number) =>
    `Address space, ${family}: ${count(ranges, "range")}, ${conflicts > 0 ? count(conflicts, "conflict") : "no conflicts"}`,
  keys: "Arrow keys move from range to range by address, Enter selects.",
  legend: "Legend",
  /** What a range is for, in the words of the provider's cloud. */
  role: (role: AddressRole, provider?: string) => roleWord(role, provider),
  shortRole: (role: AddressRole, provider?: string) => shortRoleWord(role, provider),
  zone: (name: string | undefined) => (name ? `Zone ${name}` : "Zone"),
  /** Names in a list next to the picture, for which there is no room in it. */
  labels: "Names without room in the picture",
  moreLabels: (number: number) => `and ${count(number, "more range")}: see the table`,
  /** Who chooses ranges of IPv6 that the answer lacks. */
  assigned: (provider: string | undefined) => assignedIpv6(provider),
  free: "Free",
  largest: (cidr: string) => `largest block \`${cidr}\``,
  conflict: "Conflict",
  ownScale: "Each strip has a scale of its own.",
  /** How many addresses; `exponent` is there where they are a power of two. */
  size: (size: bigint, exponent: number | undefined) =>
    exponent !== undefined && exponent >= 40 ? `2^${exponent} addresses` : count(size, "address", "addresses"),
  bounds: (first: string, last: string) => `${first} – ${last}`,
  spokenBounds: (first: string, last: string) => `${first} to ${last}`,
  /** An address that is counted from a prefix. */
  relative: (address: string) => `…${address}`,
  closer: "a closer look",
  overlaps: (other: NamedRange) => `overlaps ${namedRange(other)}`,
  belongs: (other: NamedRange) => `belongs into ${namedRange(other)}`,
  overlap: (a: NamedRange, b: NamedRange) => `${sentence(namedRange(a))} and ${namedRange(b)} overlap`,
  /** An address space; a relative one is that within the network. */
  space: (family: AddressFamily, isRelative: boolean, provider?: string) =>
    isRelative ? `${family} within the ${networkInSentence(provider)}` : family,
  moreRanges: (number: number) => `${count(number, "more range")} ${number === 1 ? "is" : "are"} not drawn.`,
  moreConflicts: (number: number) => `and ${count(number, "more conflict")}`,
  shared: (first: string, last: string, size: string) => `they share \`${first}\` – \`${last}\`, ${size}`,
  outside: (into: NamedRange, stray: NamedRange) => `${sentence(namedRange(stray))} is not inside ${namedRange(into)}`,
  unreadable: (role: AddressRole, name: string | undefined, text: string, provider?: string) =>
    `${role === "zone" && name ? `Zone \`${name}\`` : roleWord(role, provider)}: \`${text}\` is no range of addresses`,
  table: "As a table",
  caption: (space: string) => `Ranges of the address space, ${space}`,
  range: "Range",
  cidr: "CIDR",
  first: "First",
  last: "Last",
  addresses: "Addresses",
  notes: "Notes",
};
