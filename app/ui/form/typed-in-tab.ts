import { type ChangeEvent, useEffect, useRef } from "react";

/**
 * Keeps in this tab what is typed into a field and not sent yet: over other steps, reloads, and ways away and back.
 *
 * @param name of the field, with what was typed over: once another value has come in its place, nothing is kept
 * @returns what the field is given
 */
export function useTypedInTab(name: string) {
  const ref = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const field = ref.current;
    if (!field) return undefined;
    const typed = loadTyped(name);
    // Text typed before hydration is newer.
    if (typed !== null && field.value === field.defaultValue) field.value = typed;
    const { form } = field;
    const forget = () => clearTyped(name);
    form?.addEventListener("submit", forget);
    return () => form?.removeEventListener("submit", forget);
  }, [name]);
  return {
    ref,
    onChange: ({ target }: ChangeEvent<HTMLInputElement>) => saveTyped(name, target.value),
  };
}

/** The key contains the person, since someone else may sign in later in the same tab. */
function getTypedKey(name: string): string {
  return `typed:${document.documentElement.dataset.person}:${name}`;
}

function saveTyped(name: string, value: string): void {
  withStorage((storage) => storage.setItem(getTypedKey(name), value));
}

function clearTyped(name: string): void {
  withStorage((storage) => storage.removeItem(getTypedKey(name)));
}

function loadTyped(name: string): string | null {
  return withStorage((storage) => storage.getItem(getTypedKey(name)));
}

/** Null also where a browser forbids its storage, or has filled it. */
function withStorage<Found>(use: (storage: Storage) => Found): Found | null {
  try {
    return use(sessionStorage);
  } catch {
    return null;
  }
}
