import assert from "node:assert/strict";
import { test } from "node:test";
import { draw } from "../../dist/vue/layers.js";
import { fiftyZones, fromNothing } from "./plans.js";

const SIZES = { width: 100, height: 40, across: 20, between: 10 };

const vertices = (needs) => Object.entries(needs).map(([id, needs]) => ({ id, needs }));
const layersIn = ({ placed }) => {
  const layers = [];
  for (const { vertex, layer } of placed) (layers[layer] ??= []).push(vertex.id);
  return layers;
};

/** A graph of that many vertices, the same for the same seed. */
function random(count, seed) {
  let state = seed;
  const next = (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state % below;
  };
  return Array.from({ length: count }, (_, at) => ({
    id: `v${at}`,
    needs: at === 0 ? [] : Array.from({ length: next(4) }, () => `v${next(at)}`),
  }));
}

const GRAPHS = {
  "two zones": fromNothing.resources,
  "fifty zones": fiftyZones.resources,
  ...Object.fromEntries(Array.from({ length: 30 }, (_, seed) => [`graph ${seed}`, random(3 + seed * 3, seed)])),
};

for (const [name, graph] of Object.entries(GRAPHS)) {
  test(`${name}: everything is drawn once, nothing overlaps, and what is stood on is left`, () => {
    const { placed, lines, width, height } = draw(graph, SIZES);
    assert.deepEqual(placed.map(({ vertex }) => vertex.id).sort(), graph.map(({ id }) => id).sort());
    const byId = new Map(placed.map((one) => [one.vertex.id, one]));
    for (const one of placed) {
      assert.ok(one.x >= 0 && one.x + SIZES.width <= width && one.y >= -0.01 && one.y + SIZES.height <= height + 0.01, one.vertex.id);
      for (const other of placed) {
        if (one === other || one.layer !== other.layer) continue;
        assert.ok(Math.abs(one.y - other.y) >= SIZES.height + SIZES.between - 0.01, `${one.vertex.id} ${other.vertex.id}`);
      }
      for (const need of one.vertex.needs) assert.ok(byId.get(need).layer < one.layer, `${need} before ${one.vertex.id}`);
    }
    for (const { from, to } of lines) assert.ok(byId.get(to).vertex.needs.includes(from));
  });
}

test("the same vertices give the same drawing", () => {
  const again = structuredClone(fiftyZones.resources);
  assert.deepEqual(draw(fiftyZones.resources, SIZES), draw(again, SIZES));
});

test("a line that others lead along is left out", () => {
  const { lines } = draw(vertices({ a: [], b: ["a"], c: ["a", "b"] }), SIZES);
  assert.deepEqual(lines.map(({ from, to }) => from + to), ["ab", "bc"]);
});

test("what stands on nothing is just before what stands on it", () => {
  assert.deepEqual(layersIn(draw(vertices({ a: [], b: ["a"], c: ["b"], eip: [], d: ["c", "eip"], alone: [] }), SIZES)), [
    ["a", "alone"],
    ["b"],
    ["c", "eip"],
    ["d"],
  ]);
});

test("lines do not cross where they need not", () => {
  const placed = layersIn(draw(vertices({ a: [], b: [], c: [], x: ["c"], y: ["b"], z: ["a"] }), SIZES));
  const [left, right] = placed;
  const partners = { a: "z", b: "y", c: "x" };
  assert.deepEqual(right, left.map((id) => partners[id]));
});

test("a line passes what is between its ends", () => {
  const graph = vertices({ a: [], b: ["a"], c: ["b"], d: ["a"], e: ["c", "d"], f: ["e", "d"] });
  const { placed, lines } = draw(graph, SIZES);
  const line = lines.find(({ from, to }) => from === "d" && to === "e");
  const [layer] = placed.filter(({ layer }) => layer === 2);
  const y = Number(/C\S+ \S+ \S+ \S+ 240 (\S+?)H/.exec(line.path)[1]);
  assert.ok(y <= layer.y || y >= layer.y + SIZES.height, `${y} is within ${layer.y}`);
});

test("a circle, a need that is nowhere, and nothing at all are drawn", () => {
  const { placed } = draw(vertices({ a: ["c"], b: ["a", "nowhere"], c: ["b"], d: ["d"] }), SIZES);
  assert.equal(placed.length, 4);
  assert.deepEqual(draw([], SIZES), { placed: [], lines: [], width: 0, height: 0 });
});
