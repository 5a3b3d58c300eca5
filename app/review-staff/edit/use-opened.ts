import { type RefObject, useEffect, useState } from "react";

/**
 * Returns the version that a form started from. It follows the latest version until the person types something else.
 * A newer version then neither removes the text nor is overwritten unseen.
 *
 * @param latest the texts of the fields by name, with the version
 */
export function useOpened<Texts extends Record<string, string>>(
  form: RefObject<HTMLFormElement | null>,
  latest: Texts,
): Texts {
  const [opened, setOpened] = useState(latest);
  const isNew = Object.keys(latest).some((name) => latest[name] !== opened[name]);
  useEffect(() => {
    const fields = form.current?.querySelectorAll<HTMLInputElement>("input, textarea") ?? [];
    const isTyped = [...fields].some(
      ({ name, value, defaultValue }) =>
        value !== defaultValue && value.trim() !== latest[name]?.trim(),
    );
    // oxlint-disable-next-line react/set-state-in-effect -- only the page itself knows what is typed
    if (isNew && !isTyped) setOpened(latest);
  }, [form, latest, isNew]);
  return opened;
}
