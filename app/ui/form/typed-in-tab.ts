import { type ChangeEvent, useEffect, useRef } from "react";
import { useNavigation } from "react-router";

/**
 * Keeps unsent and refused text of a field in this tab, across other steps, reloads and navigation.
 *
 * @param name the field's name and its stored value, so that the text is dropped once that value changes
 * @returns props for the field
 */
export function useTypedInTab<
  Control extends HTMLInputElement | HTMLSelectElement = HTMLInputElement,
>(name: string) {
  const ref = useRef<Control>(null);
  useEffect(() => {
    const field = ref.current;
    if (!field) return undefined;
    const typed = loadTyped(name);
    // Text typed before hydration wins, since it is newer.
    if (typed !== null && field.value === getDefault(field)) field.value = typed;
    const { form } = field;
    const onSubmit = () => clearTyped(name);
    form?.addEventListener("submit", onSubmit);
    return () => form?.removeEventListener("submit", onSubmit);
  }, [name]);
  const { state } = useNavigation();
  const wasSent = useRef(false);
  useEffect(() => {
    // A field that is still here after its form was sent belongs to a refused form.
    if (state === "idle" && wasSent.current && ref.current) saveTyped(name, ref.current.value);
    wasSent.current = state === "submitting" || (wasSent.current && state === "loading");
  }, [name, state]);
  return {
    ref,
    onChange: ({ target }: ChangeEvent<Control>) => saveTyped(name, target.value),
  };
}

function getDefault(field: HTMLInputElement | HTMLSelectElement): string {
  if (field instanceof HTMLInputElement) return field.defaultValue;
  return [...field.options].find(({ defaultSelected }) => defaultSelected)?.value ?? "";
}

/** The key contains the person, since someone else may sign in later in the same tab. */
function getTypedKey(name: string): string {
  return `typed:${document.documentElement.dataset.person}:${name}`;
}

/** Keeps a text in this tab under a name. */
export function saveTyped(name: string, value: string): void {
  withStorage((storage) => storage.setItem(getTypedKey(name), value));
}

export function clearTyped(name: string): void {
  withStorage((storage) => storage.removeItem(getTypedKey(name)));
}

/** Returns the text that this tab has under a name; null without one. */
export function loadTyped(name: string): string | null {
  return withStorage((storage) => storage.getItem(getTypedKey(name)));
}

/** Returns null if the browser's storage is forbidden or full. */
function withStorage<Found>(use: (storage: Storage) => Found): Found | null {
  try {
    return use(sessionStorage);
  } catch {
    return null;
  }
}
