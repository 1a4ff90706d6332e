// Asks a checker once and leaves it open.
import { startChecker } from "trellis-policy/checker";
import { shoot } from "./texts.js";

const { documents } = await startChecker().review({ text: shoot() });
console.log(documents[0].ruling.verdict);
