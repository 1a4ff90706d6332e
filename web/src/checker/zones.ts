/** How many nodes worker pools have in their zones. */

import { member, textAt } from "../check/objects.js";
import type { PoolRollout, Range } from "../documents.js";
import type { Hibernation, ReviewedPool, ZoneNodes } from "./interface.js";

/** The zones of pools by the names of pools. */
type Zones = Map<string, string[]>;

/** Pools with how many nodes each has in each zone, before and after an edit of their Shoot. */
export function withZones(pools: PoolRollout[], before: unknown, after: unknown): ReviewedPool[] {
  const [old, now] = [zonesIn(before), zonesIn(after)];
  return pools.map((pool) => {
    const was = shares(pool.before, old.get(pool.name));
    const is = shares(pool.after, now.get(pool.name));
    if (!was || !is) return pool;
    const names = [...new Set([...is.keys(), ...was.keys()])];
    return { ...pool, zones: names.map((name) => zoneOf(name, was.get(name), is.get(name))) };
  });
}

function zoneOf(name: string, before: Range | undefined, after: Range | undefined): ZoneNodes {
  return { name, ...(before && { before }), ...(after && { after }) };
}

/** What a Shoot does that sleeps before an edit or after it; nothing where it is awake all the time. */
export function hibernationOf(before: unknown, after: unknown): Hibernation | undefined {
  if (!isAsleep(after)) return isAsleep(before) ? "wakesUp" : undefined;
  return isAsleep(before) ? "sleeps" : "fallsAsleep";
}

/** Whether a Shoot sleeps, so that it has no nodes. */
function isAsleep(shoot: unknown): boolean {
  return member(member(member(shoot, "spec"), "hibernation"), "enabled") === true;
}

function zonesIn(shoot: unknown): Zones {
  const workers = member(member(member(shoot, "spec"), "provider"), "workers");
  return new Map(
    (Array.isArray(workers) ? workers : []).map((worker): [string, string[]] => {
      const zones: unknown = member(worker, "zones");
      return [textAt(worker, "name") ?? "", Array.isArray(zones) ? zones.map(String) : []];
    }),
  );
}

/**
 * What each zone has of the nodes of a pool: Gardener gives all zones the same number, and the first ones one node more where
 * there is a rest. Nothing where the pool names no zones, or one twice; no zone where there is no pool.
 */
function shares(nodes: Range | undefined, zones: string[] = []): Map<string, Range> | undefined {
  if (!nodes) return new Map();
  if (zones.length === 0 || new Set(zones).size < zones.length) return undefined;
  const share = (number: number, at: number): number => Math.floor(number / zones.length) + (at < number % zones.length ? 1 : 0);
  return new Map(zones.map((zone, at) => [zone, { minimum: share(nodes.minimum, at), maximum: share(nodes.maximum, at) }]));
}
