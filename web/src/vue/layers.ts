/** Where the resources of a plan are drawn: from left to right in layers, each behind all that it stands on. */

/** What is drawn: a name, and the names of what it stands on. */
export interface Vertex {
  id: string;
  needs: readonly string[];
}

/** Sizes in pixels. */
export interface Sizes {
  width: number;
  height: number;
  /** Between layers. */
  across: number;
  /** Between the vertices of a layer. */
  between: number;
}

/** Where a vertex is: its layer, its place in that from the top, and its left upper corner. */
export interface Placed<V extends Vertex> {
  vertex: V;
  layer: number;
  row: number;
  x: number;
  y: number;
}

/** A line between two vertices, as the data of an SVG path. */
export interface Line {
  from: string;
  to: string;
  path: string;
}

/** A drawing. */
export interface Drawing<V extends Vertex> {
  /** Layer by layer, each from the top. */
  placed: Placed<V>[];
  /** A line that others lead along is left out. */
  lines: Line[];
  width: number;
  height: number;
}

/** A vertex, or where a line crosses a layer. */
interface Spot<V> {
  vertex?: V;
  layer: number;
  height: number;
  before: Spot<V>[];
  behind: Spot<V>[];
  /** Its centre. */
  y: number;
}

/** How often the layers are put into order, forth and back. */
const SWEEPS = 6;

/** Height of a line that crosses a layer. */
const THIN = 8;

/** Draws vertices. The same vertices in the same order give the same drawing. */
export function draw<V extends Vertex>(vertices: readonly V[], sizes: Sizes): Drawing<V> {
  const needs = reduced(vertices);
  const layerOf = layersOf(vertices, needs);
  const spots = new Map(
    vertices.map((vertex) => [
      vertex.id,
      { vertex, layer: layerOf.get(vertex.id) ?? 0, height: sizes.height, before: [], behind: [], y: 0 } as Spot<V>,
    ]),
  );
  const layers: Spot<V>[][] = Array.from({ length: Math.max(0, ...layerOf.values()) + 1 }, () => []);
  for (const spot of spots.values()) layers[spot.layer]?.push(spot);

  const chains: { from: string; to: string; spots: Spot<V>[] }[] = [];
  for (const [to, sources] of needs) {
    for (const from of sources) {
      const [first, last] = [spots.get(from), spots.get(to)];
      if (first && last) chains.push({ from, to, spots: chain(first, last, layers) });
    }
  }
  untangle(layers);
  for (const layer of layers) align(layer, sizes.between);
  for (const pull of ["before", "behind", "before", "both"] as const) {
    for (const layer of pull === "behind" ? [...layers].reverse() : layers) align(layer, sizes.between, pull);
  }

  const all = layers.flat();
  const top = Math.min(0, ...all.map(({ y, height }) => y - height / 2));
  const left = (layer: number): number => layer * (sizes.width + sizes.across);
  const placed = layers.flatMap((layer) =>
    layer
      .filter((spot): spot is Spot<V> & { vertex: V } => spot.vertex !== undefined)
      .map(({ vertex, layer, y, height }, row) => ({ vertex, layer, row, x: left(layer), y: y - height / 2 - top })),
  );
  const lines = chains.map(({ from, to, spots }) => ({ from, to, path: pathOf(spots, left, sizes, top) }));
  const bottom = Math.max(0, ...all.map(({ y, height }) => y + height / 2 - top));
  return { placed, lines, width: vertices.length === 0 ? 0 : left(layers.length - 1) + sizes.width, height: bottom };
}

/** What each vertex stands on, without what that stands on in turn, and without what leads in a circle. */
function reduced(vertices: readonly Vertex[]): Map<string, string[]> {
  const known = new Map(vertices.map((vertex) => [vertex.id, vertex]));
  const below = new Map<string, Set<string>>();
  const direct = new Map<string, string[]>();
  const open = new Set<string>();
  const visit = (vertex: Vertex): Set<string> => {
    const before = below.get(vertex.id);
    if (before) return before;
    open.add(vertex.id);
    const found = [...new Set(vertex.needs)].flatMap((id) => {
      const need = known.get(id);
      return need && !open.has(id) ? [{ id, below: visit(need) }] : [];
    });
    open.delete(vertex.id);
    const kept = found.filter(({ id }) => !found.some((other) => other.below.has(id)));
    direct.set(vertex.id, kept.map(({ id }) => id));
    const all = new Set(found.flatMap(({ id, below }) => [id, ...below]));
    below.set(vertex.id, all);
    return all;
  };
  for (const vertex of vertices) visit(vertex);
  return new Map(vertices.map(({ id }) => [id, direct.get(id) ?? []]));
}

/** The layer of each vertex: behind all that it stands on; what stands on nothing is just before what stands on it. */
function layersOf(vertices: readonly Vertex[], needs: Map<string, string[]>): Map<string, number> {
  const layers = new Map<string, number>();
  const visit = (id: string): number => {
    const known = layers.get(id);
    if (known !== undefined) return known;
    const layer = Math.max(-1, ...(needs.get(id) ?? []).map(visit)) + 1;
    layers.set(id, layer);
    return layer;
  };
  for (const { id } of vertices) visit(id);
  const first = new Map<string, number>();
  for (const [id, sources] of needs) {
    for (const source of sources) first.set(source, Math.min(first.get(source) ?? Infinity, layers.get(id) ?? 0));
  }
  for (const [id, sources] of needs) {
    const next = first.get(id);
    if (sources.length === 0 && next !== undefined) layers.set(id, next - 1);
  }
  return layers;
}

/** Joins two spots by one in each layer between them. */
function chain<V>(first: Spot<V>, last: Spot<V>, layers: Spot<V>[][]): Spot<V>[] {
  const spots = [first];
  for (let layer = first.layer + 1; layer < last.layer; layer += 1) {
    const spot: Spot<V> = { layer, height: THIN, before: [], behind: [], y: 0 };
    layers[layer]?.push(spot);
    spots.push(spot);
  }
  spots.push(last);
  for (const [at, spot] of spots.slice(1).entries()) {
    const previous = spots[at];
    if (!previous) continue;
    previous.behind.push(spot);
    spot.before.push(previous);
  }
  return spots;
}

/** Puts the spots of each layer into an order in which few lines cross. */
function untangle<V>(layers: Spot<V>[][]): void {
  const number = (): void => layers.forEach((layer) => layer.forEach((spot, at) => void (spot.y = at)));
  number();
  let best = layers.map((layer) => [...layer]);
  let fewest = crossings(layers);
  for (let sweep = 0; sweep < SWEEPS && fewest > 0; sweep += 1) {
    const forth = sweep % 2 === 0;
    for (const layer of forth ? layers : [...layers].reverse()) {
      const keys = new Map(layer.map((spot) => [spot, mean(forth ? spot.before : spot.behind) ?? spot.y]));
      layer.sort((a, b) => (keys.get(a) ?? 0) - (keys.get(b) ?? 0));
      layer.forEach((spot, at) => void (spot.y = at));
    }
    const found = crossings(layers);
    if (found >= fewest) continue;
    fewest = found;
    best = layers.map((layer) => [...layer]);
  }
  for (const [at, layer] of best.entries()) layers[at]?.splice(0, layer.length, ...layer);
  number();
}

function mean<V>(spots: Spot<V>[]): number | undefined {
  return spots.length === 0 ? undefined : spots.reduce((sum, { y }) => sum + y, 0) / spots.length;
}

/** How many pairs of lines between neighbouring layers cross. */
function crossings<V>(layers: Spot<V>[][]): number {
  let count = 0;
  for (const layer of layers) {
    // Ends of the lines from one layer, in the order of their beginnings: inversions are crossings.
    const ends = layer.flatMap(({ behind }) => behind.map(({ y }) => y).sort((a, b) => a - b));
    for (let a = 0; a < ends.length; a += 1) {
      for (let b = a + 1; b < ends.length; b += 1) if ((ends[a] ?? 0) > (ends[b] ?? 0)) count += 1;
    }
  }
  return count;
}

/**
 * Puts the spots of a layer as near to their neighbours as their order and their heights allow: the sum of the squared
 * distances is least. Without neighbours they are stacked.
 */
function align<V>(layer: Spot<V>[], between: number, pull?: "before" | "behind" | "both"): void {
  let offset = 0;
  const offsets = layer.map(({ height }, at) => {
    const above = layer[at - 1];
    if (above) offset += (above.height + height) / 2 + between;
    return offset;
  });
  if (!pull) return layer.forEach((spot, at) => void (spot.y = offsets[at] ?? 0));
  const wanted = layer.map((spot, at) => {
    const neighbours = pull === "both" ? [...spot.before, ...spot.behind] : spot[pull];
    return (mean(neighbours) ?? spot.y) - (offsets[at] ?? 0);
  });
  // Neighbours that want to pass each other go together, to the mean of what they want.
  const blocks: { sum: number; count: number }[] = [];
  for (const value of wanted) {
    let block = { sum: value, count: 1 };
    for (let last = blocks.at(-1); last && last.sum / last.count > block.sum / block.count; last = blocks.at(-1)) {
      blocks.pop();
      block = { sum: last.sum + block.sum, count: last.count + block.count };
    }
    blocks.push(block);
  }
  const placed = blocks.flatMap(({ sum, count }) => new Array<number>(count).fill(sum / count));
  layer.forEach((spot, at) => void (spot.y = (placed[at] ?? 0) + (offsets[at] ?? 0)));
}

/** A curve through spots, from the right side of the first to the left side of the last. */
function pathOf<V>(spots: Spot<V>[], left: (layer: number) => number, { width, across }: Sizes, top: number): string {
  const round = (value: number): number => Math.round(value * 10) / 10;
  return spots
    .map(({ layer, y }, at) => {
      const [x, height] = [left(layer), round(y - top)];
      if (at === 0) return `M${x + width} ${height}`;
      const before = round((spots[at - 1]?.y ?? 0) - top);
      const curve = `C${x - across / 2} ${before} ${x - across / 2} ${height} ${x} ${height}`;
      return at === spots.length - 1 ? curve : `${curve}H${x + width}`;
    })
    .join("");
}
