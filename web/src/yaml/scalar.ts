/**
 * What a plain (unquoted) scalar means, as the YAML reader of kubectl has it: the rules of YAML 1.1 with the deviations
 * of go-yaml v2, on which sigs.k8s.io/yaml builds. `tests/scalars.json` holds this reader and the one of the command
 * line to the same readings.
 */

const NULL = /^(|~|null|Null|NULL)$/;
const TRUE = /^(y|Y|yes|Yes|YES|true|True|TRUE|on|On|ON)$/;
const FALSE = /^(n|N|no|No|NO|false|False|FALSE|off|Off|OFF)$/;
const NOT_FINITE = /^(\.nan|\.NaN|\.NAN|[-+]?\.(inf|Inf|INF))$/;
/** Integers with the prefixes of Go: `0x`, `0o`, `0b`, and a bare `0` for octal. */
const INTEGER = /^([-+]?)(?:0[xX]([0-9a-fA-F]+)|0[bB]([01]+)|0[oO]?([0-7]+)|(0|[1-9][0-9]*))$/;
const FLOAT = /^([-+]?)(?=\.?[0-9])([0-9]*)(\.?)([0-9]*)([eE][-+]?[0-9]+)?$/;

/** The JSON text of a plain scalar's value; nothing for an infinity or what is no number at all, which JSON has not. */
export function resolve(text: string): string | undefined {
  if (NULL.test(text)) return "null";
  if (TRUE.test(text)) return "true";
  if (FALSE.test(text)) return "false";
  if (NOT_FINITE.test(text)) return undefined;
  // Timestamps are texts, as kubectl passes them on.
  return number(text) ?? JSON.stringify(text);
}

/** The JSON spelling of a plain scalar that is a number. */
function number(text: string): string | undefined {
  if (!/^[-+.0-9]/.test(text)) return undefined;
  // Behind a point underscores must stand between digits; elsewhere they need not.
  if (text.startsWith(".") && /(?<![0-9])_|_(?![0-9])/.test(text)) return undefined;
  const digits = text.replaceAll("_", "");
  return integer(digits) ?? float(digits);
}

function integer(text: string): string | undefined {
  // Nothing so long is in range, and the arithmetic would take its time to say so.
  if (text.length > 200) return undefined;
  const [, sign, hex, binary, octal, decimal] = INTEGER.exec(text) ?? [];
  if (sign === undefined) return undefined;
  const magnitude = BigInt(hex ? `0x${hex}` : binary ? `0b${binary}` : octal ? `0o${octal}` : (decimal ?? ""));
  const value = sign === "-" ? -magnitude : magnitude;
  if (value < -(2n ** 63n) || value >= 2n ** 64n) return undefined;
  return sign === "-" && value === 0n ? "-0" : value.toString();
}

/**
 * Whole numbers are passed on without a fraction, as kubectl does it (`1.0` is `1`). Elsewhere the digits stay as they are; only
 * what JSON does not allow (a plus, a missing or leading zero) is fixed.
 */
function float(text: string): string | undefined {
  const [, sign, whole, point, fraction, exponent = ""] = FLOAT.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const digits = (whole.replace(/^0+/, "") || "0") + (point && `.${fraction || "0"}`);
  const json = (sign === "-" ? "-" : "") + digits + exponent;
  const value = Number(json);
  if (Number.isSafeInteger(value)) return Object.is(value, -0) ? "-0" : String(value);
  // Beyond the range of a 64-bit float Go's reader gives up and leaves a text.
  return Number.isFinite(value) ? json : undefined;
}
