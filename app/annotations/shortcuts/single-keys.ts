import { useSyncExternalStore } from "react";

const storageKey = "single-key-shortcuts";
/** The choice on this page where the browser refuses to store it. */
let unsaved: boolean | null = null;

/** True while single-character shortcuts are on: by default, until someone turns them off in this browser (WCAG 2.1.4). */
export function useSingleKeys(): boolean {
  return useSyncExternalStore(subscribeToSingleKeys, areSingleKeysOn, () => true);
}

/**
 * Turns single-character shortcuts on or off, in every tab of this browser.
 *
 * @returns false when the browser refuses to store the choice, which then lasts as long as the page
 */
export function setSingleKeys(areOn: boolean): boolean {
  unsaved = areOn;
  try {
    localStorage.setItem(storageKey, areOn ? "on" : "off");
    unsaved = null;
  } catch {
    // Blocked or full.
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
