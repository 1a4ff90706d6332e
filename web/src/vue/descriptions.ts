/** The words for ranges, gaps and conflicts, which the picture, its details and its table share. */

import { exponentOf, type Interval, sizeOf, toCidr, toText } from "./address.js";
import type { TrellisStrings } from "./strings.js";
import type { Conflict, Item, Territory } from "./territories.js";

/** Most conflicts that are shown of one range. */
const MOST_NOTES = 5;

/** What there is to say of a range or a gap. */
export interface Description {
  title: string;
  cidr: string;
  first: string;
  last: string;
  size: string;
  /** What else there is to say. */
  notes: string[];
  /** What does not go together with others. */
  conflicts: string[];
}

/** A conflict in words. */
export interface ConflictDescription {
  /** Absent where Gardener itself judges it. */
  rule: string | undefined;
  what: string;
  /** Which addresses are shared. */
  shared?: string;
}

export class Describe {
  constructor(
    private readonly strings: TrellisStrings["map"],
    private readonly territory: Territory,
    /** The provider of the object, whose cloud has words of its own. */
    private readonly provider?: string,
  ) {}

  /** An address or a range in CIDR notation, as the cloud will complete it where it is relative. */
  address(text: string): string {
    return this.territory.space.relative === undefined ? text : this.strings.relative(text);
  }

  size(interval: Interval): string {
    const size = sizeOf(interval);
    return this.strings.size(size, exponentOf(size));
  }

  /** The ends of an interval. */
  bounds(interval: Interval): Pick<Description, "first" | "last"> {
    const text = (address: bigint) => this.address(toText(address, this.territory.space.family));
    return { first: text(interval.first), last: text(interval.last) };
  }

  /** An interval in CIDR notation, or else its ends. */
  block(interval: Interval): string {
    const cidr = toCidr(interval, this.territory.space.family);
    const { first, last } = this.bounds(interval);
    return cidr === undefined ? this.strings.bounds(first, last) : this.address(cidr);
  }

  title({ range }: Item): string {
    if (!range) return this.strings.free;
    if (range.role === "zone") return this.strings.zone(range.name);
    const isOfZone = range.role === "public" || range.role === "internal";
    const role = this.strings.role(range.role, this.provider);
    return isOfZone && range.name ? `${role}, ${range.name}` : role;
  }

  /** The same where there is little room: of zones of a region what differs, which is behind the last dash. */
  short({ range }: Item): string {
    if (!range) return "";
    if (range.role !== "zone") return this.strings.shortRole(range.role, this.provider);
    return range.name?.slice(range.name.lastIndexOf("-") + 1) ?? this.strings.zone(undefined);
  }

  /** What stands on a range: a name of a zone alone where it is more than a number. */
  label({ range }: Item): string {
    if (!range) return this.strings.free;
    if (range.role !== "zone") return this.strings.role(range.role, this.provider);
    return range.name !== undefined && !/^\d+$/.test(range.name) ? range.name : this.strings.zone(range.name);
  }

  /** The address space. */
  space(): string {
    return this.strings.space(this.territory.space.family, this.territory.space.relative !== undefined, this.provider);
  }

  item(item: Item): Description {
    const { gap } = item;
    const cidr = toCidr(item, this.territory.space.family);
    return {
      title: this.title(item),
      cidr: cidr === undefined ? "" : this.address(cidr),
      ...this.bounds(item),
      size: this.size(item),
      notes: gap && cidr === undefined ? [this.strings.largest(this.address(gap.largest))] : [],
      conflicts: this.notes(item),
    };
  }

  private notes(item: Item): string[] {
    const shown = item.conflicts.slice(0, MOST_NOTES).map((conflict) => this.note(item, conflict));
    const more = item.conflicts.length - shown.length;
    return more > 0 ? [...shown, this.strings.moreConflicts(more)] : shown;
  }

  /** What a conflict is for one of its two ranges. */
  private note(item: Item, { conflict, ranges: [a, b] }: Conflict): string {
    const other = this.named(item === a ? b : a);
    const rule = conflict.rule === undefined ? "" : ` (${conflict.rule})`;
    if (conflict.kind === "overlap") return `${this.strings.overlaps(other)}${rule}`;
    const [into, stray] = [this.named(a), this.named(b)];
    return `${item === a ? this.strings.outside(into, stray) : this.strings.belongs(other)}${rule}`;
  }

  conflict({ conflict, ranges: [a, b] }: Conflict): ConflictDescription {
    const { kind, rule } = conflict;
    if (kind === "outside") return { rule, what: this.strings.outside(this.named(a), this.named(b)) };
    const shared = {
      first: a.first > b.first ? a.first : b.first,
      last: a.last < b.last ? a.last : b.last,
    };
    const { first, last } = this.bounds(shared);
    return {
      rule,
      what: this.strings.overlap(this.named(a), this.named(b)),
      shared: this.strings.shared(first, last, this.size(shared)),
    };
  }

  private named({ range }: Item) {
    return { role: range?.role ?? "reserved", name: range?.name, cidr: this.address(range?.cidr ?? ""), provider: this.provider } as const;
  }
}

/** A text for those who hear it, without marks of code. */
export function spoken(text: string): string {
  return text.replaceAll("`", "");
}
