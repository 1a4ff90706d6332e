/** Whether the page has room for the editor and the results next to each other. */

import { onScopeDispose, ref } from "vue";

/** As in the styles: what is smaller scrolls as one. */
const SMALL = "(max-width: 800px), (max-height: 480px)";

/** Whether the page is small, now and after the window has another size. */
export function useSmall() {
  const query = window.matchMedia(SMALL);
  const isSmall = ref(query.matches);
  const update = (): void => void (isSmall.value = query.matches);
  query.addEventListener("change", update);
  onScopeDispose(() => query.removeEventListener("change", update));
  return isSmall;
}
