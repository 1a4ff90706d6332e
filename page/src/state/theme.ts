/** The colours that a person chose, for all visits. */

const KEY = "trellis:theme";

/** What was chosen; else what the person's system prefers. */
export function chosenTheme(): "light" | "dark" | "system" {
  try {
    const chosen = localStorage.getItem(KEY);
    return chosen === "light" || chosen === "dark" ? chosen : "system";
  } catch {
    return "system";
  }
}

export function rememberTheme(chosen: "light" | "dark"): void {
  try {
    localStorage.setItem(KEY, chosen);
  } catch {
    // A browser that keeps nothing has it for this visit.
  }
}
