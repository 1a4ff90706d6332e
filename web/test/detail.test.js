import assert from "node:assert/strict";
import { test } from "node:test";
import { detailOf } from "trellis-policy";

test("a detail for people is never empty, and names the value", () => {
  const long = "x".repeat(300);
  for (const [type, badValue, detail, expected] of [
    ["FieldValueInvalid", "y1", "must be a CIDR", 'Invalid value: "y1": must be a CIDR'],
    ["FieldValueInvalid", "y1", "y1 is no CIDR", "y1 is no CIDR"],
    ["FieldValueInvalid", "", "must be a CIDR", 'Invalid value: "": must be a CIDR'],
    ["FieldValueInvalid", 5, "must be 15 at least", "Invalid value: 5: must be 15 at least"],
    ["FieldValueInvalid", 5, "5 is not enough", "5 is not enough"],
    ["FieldValueInvalid", true, "field is immutable", "Invalid value: true: field is immutable"],
    ["FieldValueInvalid", null, "field is immutable", "field is immutable"],
    ["FieldValueInvalid", undefined, "field is immutable", "field is immutable"],
    ["FieldValueNotSupported", "z", "supported: b", 'Unsupported value: "z": supported: b'],
    ["FieldValueDuplicate", "b", "", 'Duplicate value: "b"'],
    ["FieldValueDuplicate", undefined, "", "Duplicate value"],
    ["FieldValueRequired", "", "must be set", "must be set"],
    ["FieldValueForbidden", 1, "", "Forbidden"],
    ["Denied", 1, "no", "no"],
    ["FieldValueInvalid", `${long.slice(0, 256)}…`, "too long", `Invalid value: "${"x".repeat(120)}…": too long`],
    ["Denied", undefined, long.repeat(2), `${"x".repeat(500)}… (600 characters)`],
  ]) {
    assert.equal(detailOf({ type, badValue, detail }), expected);
  }
});
