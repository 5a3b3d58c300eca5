import type { ToggleEvent } from "react";

/**
 * Places an opened popover below the button before it, or above it without room below, in browsers without CSS anchor
 * positioning.
 */
export function placePopover({ currentTarget: popover, newState }: ToggleEvent<HTMLElement>): void {
  if (newState !== "open" || CSS.supports("position-area", "block-end")) return;
  const { top, bottom, right } = popover.previousElementSibling!.getBoundingClientRect();
  const hasRoom = bottom + popover.offsetHeight <= innerHeight;
  const [above, below] = hasRoom ? [`${bottom}px`, "auto"] : ["auto", `${innerHeight - top}px`];
  popover.style.inset = `${above} ${innerWidth - right}px ${below} auto`;
}
