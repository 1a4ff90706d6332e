import assert from "node:assert/strict";
import { test } from "node:test";
import { blockAround, exponentOf, toCidr, toNumber, toText } from "../../dist/vue/address.js";
import { territory } from "../../dist/vue/territories.js";
import { space } from "./addresses.js";

test("addresses are read, and written as RFC 5952 has it", () => {
  const texts = {
    "0.0.0.0": 0n,
    "10.250.0.255": 0x0afa00ffn,
    "255.255.255.255": 2n ** 32n - 1n,
    "::": 0n,
    "::1": 1n,
    "2001:db8::": 0x20010db8n << 96n,
    "1:0:0:2::3": (1n << 112n) + (2n << 64n) + 3n,
    "1:0:2:0:3:0:4:0": (1n << 112n) + (2n << 80n) + (3n << 48n) + (4n << 16n),
    "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff": 2n ** 128n - 1n,
  };
  for (const [text, number] of Object.entries(texts)) {
    assert.equal(toNumber(text), number, text);
    assert.equal(toText(number, text.includes(":") ? "IPv6" : "IPv4"), text);
  }
  assert.equal(toNumber("::ffff:10.250.0.255"), 0xffff0afa00ffn);
  assert.equal(toNumber("0:0:0:1::"), 1n << 64n);
});

test("an interval is one block, or is in the smallest that holds it", () => {
  const interval = (first, last) => ({ first: toNumber(first), last: toNumber(last) });
  assert.equal(toCidr(interval("10.250.0.0", "10.250.255.255"), "IPv4"), "10.250.0.0/16");
  assert.equal(toCidr(interval("10.250.0.1", "10.250.1.0"), "IPv4"), undefined);
  assert.equal(toCidr(interval("10.250.32.0", "10.250.127.255"), "IPv4"), undefined);
  assert.equal(toCidr(blockAround(interval("10.250.32.0", "10.250.127.255")), "IPv4"), "10.250.0.0/17");
  assert.equal(toCidr(blockAround(interval("10.0.0.7", "10.0.0.7")), "IPv4"), "10.0.0.7/32");
  assert.equal(toCidr(interval("::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"), "IPv6"), "::/0");
  assert.equal(exponentOf(2n ** 72n), 72);
  assert.equal(exponentOf(2n ** 72n - 1n), undefined);
});

const blocks = (strips) => strips.map((strip) => toCidr(strip, "IPv4") ?? `${toText(strip.first, "IPv4")}-${toText(strip.last, "IPv4")}`);

test("ranges that touch are one strip, those that do not are strips of their own, by address", () => {
  const { strips } = territory(
    space("IPv4", [
      ["services", "192.168.0.0/17"],
      ["vpc", "10.250.0.0/16"],
      ["pods", "10.251.0.0/16"],
      ["nodes", "10.250.0.0/17"],
      ["zone", "10.253.0.0/19", "a"],
    ]),
    0,
  );
  assert.deepEqual(blocks(strips), ["10.250.0.0/15", "10.253.0.0/19", "192.168.0.0/17"]);
});

test("a strip is not rounded to a block in which nothing could be seen", () => {
  const { strips } = territory(space("IPv4", [["vpc", "9.255.0.0/16"], ["pods", "10.0.0.0/16"]]), 0);
  assert.deepEqual(blocks(strips), ["9.255.0.0-10.0.255.255"]);
});

test("what is too small for its strip gets a closer look, and is a speck besides", () => {
  const { strips } = territory(
    space("IPv4", [["vpc", "10.0.0.0/8"], ["zone", "10.250.0.0/24", "a"], ["zone", "10.250.1.0/24", "b"]]),
    0,
  );
  const [{ bars, closer }] = strips;
  assert.deepEqual(bars.map(({ shape }) => shape), ["frame", "speck", "speck"]);
  assert.deepEqual(blocks([closer]), ["10.250.0.0/23"]);
  assert.deepEqual(closer.bars.map(({ shape, left, width }) => [shape, left, width]), [["block", 0, 50], ["block", 50, 50]]);
});

test("small ranges that are far from each other have no closer look", () => {
  const [strip] = territory(
    space("IPv4", [["vpc", "10.0.0.0/8"], ["zone", "10.0.0.0/24", "a"], ["zone", "10.250.1.0/24", "b"]]),
    0,
  ).strips;
  assert.equal(strip.closer, undefined);
});

test("zones that overlap are in rows of their own, and share a clash from the first to the last", () => {
  const [{ bars, clashes }] = territory(
    space("IPv4", [["zone", "10.0.0.0/24", "a"], ["zone", "10.0.0.128/25", "b"]], {
      conflicts: [["overlap", "10.0.0.0/24", "10.0.0.128/25", "RULE-1"]],
    }),
    0,
  ).strips;
  const [a, b] = bars;
  assert.ok(b.top >= a.top + a.height);
  const [{ left, width, top, height, rules }] = clashes;
  assert.deepEqual([left, width, top, top + height, rules], [50, 50, a.top, b.top + b.height, ["RULE-1"]]);
});
