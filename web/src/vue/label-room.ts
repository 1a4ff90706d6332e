/** How much room there is for words in a picture, and how much words need: none of them is cut. */

import { onBeforeUnmount, onMounted, type Ref, ref, type ShallowRef } from "vue";

/** The width of an element in pixels, now and after it changes; 0 while nobody knows it. */
export function useWidth(element: Readonly<ShallowRef<HTMLElement | null>>): Ref<number> {
  const width = ref(0);
  let observer: ResizeObserver | undefined;
  onMounted(() => {
    if (!element.value) return;
    width.value = element.value.clientWidth;
    observer = new ResizeObserver(([entry]) => void (width.value = entry?.contentRect.width ?? 0));
    observer.observe(element.value);
  });
  onBeforeUnmount(() => observer?.disconnect());
  return width;
}

let context: CanvasRenderingContext2D | null | undefined;

/** How many pixels words need in the font of an element, with another weight, or in the font of code of another size. */
export function widthOf(words: string, element: Element, font: { weight?: number; isCode?: boolean; size?: number } = {}): number {
  context ??= document.createElement("canvas").getContext("2d");
  if (!context) return 0;
  const style = getComputedStyle(element);
  const family = font.isCode ? style.getPropertyValue("--trellis_mono") : style.fontFamily;
  context.font = `${font.weight ?? 400} ${font.size ? `${font.size}px` : style.fontSize} ${family}`;
  return context.measureText(words).width;
}

/** A letter for the first, the second, and so on: "A" to "Z", then "AA". */
export function letterOf(at: number): string {
  const last = String.fromCharCode(65 + (at % 26));
  return at < 26 ? last : letterOf(Math.floor(at / 26) - 1) + last;
}
