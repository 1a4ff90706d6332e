/** The colours that a person chose, for all visits. */

import { computed } from "vue";
import { useTheme } from "vuetify";

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

function rememberTheme(chosen: "light" | "dark"): void {
  try {
    localStorage.setItem(KEY, chosen);
  } catch {
    // A browser that keeps nothing has it for this visit.
  }
}

/** Whether the colours are dark, and how to have the others. */
export function useColours() {
  const theme = useTheme();
  const dark = computed(() => theme.current.value.dark);
  function change(): void {
    const wanted = dark.value ? "light" : "dark";
    theme.change(wanted);
    rememberTheme(wanted);
  }
  return { dark, change };
}
