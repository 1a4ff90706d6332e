/** Pictures of many parts, which are one stop of Tab: arrow keys lead from part to part, and the part with the mouse or the focus is shown. */

import { computed, type ComputedRef, type Ref, shallowRef } from "vue";

/** A picture whose parts have their keys as `data-key`; a `data-tip` is what is shown of the part with that key. */
export interface Picture {
  element: Readonly<Ref<HTMLElement | null>>;
  has(key: string): boolean;
  /** The part that Tab leads to first. */
  first(): string | undefined;
  /** What the keys of the keyboard do at a part: each leads to another one, or to none. */
  steps: Record<string, (from: string) => string | undefined>;
}

export interface Visits {
  /** The only part that Tab leads to. */
  current: ComputedRef<string | undefined>;
  /** The part with the mouse, or else with the focus. */
  shown: ComputedRef<string | undefined>;
  /** What the element around the parts listens to. */
  listeners: {
    mouseover: (event: MouseEvent) => void;
    mouseleave: () => void;
    focusin: (event: FocusEvent) => void;
    focusout: () => void;
    keydown: (event: KeyboardEvent) => void;
  };
}

/** The key of the part at which something happens. */
export function keyOf({ target }: Event): string | undefined {
  if (!(target instanceof Element)) return undefined;
  const { key, tip } = target.closest<HTMLElement>("[data-key], [data-tip]")?.dataset ?? {};
  return key ?? tip;
}

/** Who visits the parts of a picture, for the `setup` of its component. */
export function useVisits({ element, has, first, steps }: Picture): Visits {
  const visited = shallowRef<string>();
  const hovered = shallowRef<string>();
  const focused = shallowRef<string>();

  function move(event: KeyboardEvent): void {
    if (event.key === "Escape") hovered.value = focused.value = undefined;
    const step = Object.hasOwn(steps, event.key) ? steps[event.key] : undefined;
    const key = keyOf(event);
    if (!step || key === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const next = step(key);
    if (next !== undefined) element.value?.querySelector<HTMLElement>(`[data-key="${CSS.escape(next)}"]`)?.focus();
  }

  return {
    current: computed(() => (visited.value !== undefined && has(visited.value) ? visited.value : first())),
    shown: computed(() => hovered.value ?? focused.value),
    listeners: {
      mouseover: (event) => (hovered.value = keyOf(event)),
      mouseleave: () => (hovered.value = undefined),
      focusin(event) {
        focused.value = keyOf(event);
        visited.value = focused.value ?? visited.value;
      },
      focusout: () => (focused.value = undefined),
      keydown: move,
    },
  };
}
