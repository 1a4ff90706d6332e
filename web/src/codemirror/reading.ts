/** What reads the text of an editor. It is large, and loaded when a pointer first rests: the editor is there before. */

import { isPart } from "../check/objects.js";
import { overlay } from "../yaml/overlay.js";

export { parse } from "../yaml/index.js";

/** The object of a document: that of a part is the whole Shoot with the part in it. */
export function wholeObject(json: string, shoot: object | undefined): unknown {
  const object: unknown = JSON.parse(json);
  const whole = shoot && isPart(object) ? overlay(JSON.stringify(shoot), json) : undefined;
  return whole === undefined ? object : JSON.parse(whole);
}
