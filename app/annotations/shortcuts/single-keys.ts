import { useSyncExternalStore } from "react";

const storageKey = "single-key-shortcuts";
/** The choice on this page, if the browser refuses to store it. */
let unsaved: boolean | null = null;

/** Returns whether single-character shortcuts are on in this browser; they are by default (WCAG 2.1.4). */
export function useSingleKeys(): boolean {
  return useSyncExternalStore(subscribeToSingleKeys, areSingleKeysOn, () => true);
}

/**
 * Turns single-character shortcuts on or off, in every tab of this browser.
 *
 * @returns false if the browser refuses to store the choice, which then applies to this page only
 */
export function setSingleKeys(areOn: boolean): boolean {
  unsaved = areOn;
  try {
    localStorage.setItem(storageKey, areOn ? "on" : "off");
    unsaved = null;
  } catch {
    // Storage is blocked or full.
  }
  // Browsers send this event only to other tabs.
  window.dispatchEvent(new Event("storage"));
  return unsaved === null;
}

function areSingleKeysOn(): boolean {
  if (unsaved !== null) return unsaved;
  try {
    return localStorage.getItem(storageKey) !== "off";
  } catch {
    return true;
  }
}

function subscribeToSingleKeys(onChange: () => void): () => void {
  window.addEventListener("storage", onChange);
  return () => window.removeEventListener("storage", onChange);
}
