import type { ToggleEvent } from "react";

/** Places an opened popover below the button before it, in browsers without CSS anchor positioning. */
export function placePopover({ currentTarget, newState }: ToggleEvent<HTMLElement>): void {
  if (newState !== "open" || CSS.supports("position-area", "block-end")) return;
  const { bottom, right } = currentTarget.previousElementSibling!.getBoundingClientRect();
  currentTarget.style.inset = `${bottom}px ${innerWidth - right}px auto auto`;
}
