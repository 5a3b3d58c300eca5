import { startTransition, useEffect, useEffectEvent, useState } from "react";
import { showToast } from "../../ui/feedback/toasts.tsx";
import type { MarkedScreen } from "./editor-shortcuts.ts";
import type { ShortcutsDialog } from "./shortcuts-dialog.tsx";
import {
  findPageShortcut,
  type KeyTarget,
  readingShortcuts,
  type ShortcutTable,
} from "./shortcuts.ts";
import { useSingleKeys } from "./single-keys.ts";
import * as buttonStyles from "../../ui/form/button.module.css";
import * as iconStyles from "../../ui/brand/icon.module.css";

/**
 * Handles the keys of a screen with any focus, and renders the button that lists them. The dialog is loaded
 * on first use.
 *
 * @param shortcuts the keys that work anywhere on the screen
 * @param actions the handler of each key; opening the dialog is built in
 */
export function KeyboardShortcuts<Table extends ShortcutTable>({
  screen,
  shortcuts,
  actions,
  className = "",
}: {
  screen: MarkedScreen;
  shortcuts: Table & typeof readingShortcuts;
  actions: Record<Exclude<keyof Table, "showShortcuts">, () => void>;
  /** The class of the button. */
  className?: string;
}) {
  const [dialog, setDialog] = useState<{ Dialog: typeof ShortcutsDialog; isOpen: boolean }>();
  const areSingleKeysOn = useSingleKeys();

  function showShortcuts() {
    import("./shortcuts-dialog.tsx").then(
      // In a transition, React waits for the dialog's styles.
      (part) => startTransition(() => setDialog({ Dialog: part.ShortcutsDialog, isOpen: true })),
      () =>
        showToast({
          kind: "error",
          title: "The shortcuts could not be loaded",
          description: "Check your connection and try again.",
        }),
    );
  }

  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const action = findPageShortcut<ShortcutTable>(shortcuts, event, {
      target: event.composedPath()[0] as KeyTarget,
      isCovered: document.querySelector("dialog[open], [popover=auto]:popover-open") !== null,
      areSingleKeysOn,
    });
    if (!action) return;
    event.preventDefault();
    ({ ...actions, showShortcuts } as Record<string, () => void>)[action]!();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event);
    // React listens at the document, so events that it stops do not reach the window.
    window.addEventListener("keydown", listen);
    return () => window.removeEventListener("keydown", listen);
  }, []);

  return (
    <>
      <button
        type="button"
        className={`${buttonStyles.button} ${buttonStyles.ghost} ${buttonStyles.sm} needs-scripts ${className}`}
        {...useShortcutHint("showShortcuts")}
        onClick={showShortcuts}
      >
        {/* Inline, since every page loads the icon set. */}
        <svg className={iconStyles.icon} viewBox="0 0 20 20" aria-hidden="true">
          <path d="M2 5h16v10H2zM5 8.5h1M8 8.5h1M11 8.5h1M14 8.5h1M6.5 12h7" />
        </svg>
        <span>{readingShortcuts.showShortcuts.label}</span>
      </button>
      {dialog && (
        <dialog.Dialog
          screen={screen}
          open={dialog.isOpen}
          onClose={() => setDialog({ ...dialog, isOpen: false })}
        />
      )}
    </>
  );
}

/** Returns attributes that name a button and its key, while single keys are on. */
export function useShortcutHint(action: keyof typeof readingShortcuts) {
  const areOn = useSingleKeys();
  const { label, keys } = readingShortcuts[action];
  return {
    "aria-label": label,
    "aria-keyshortcuts": areOn ? keys[0] : undefined,
    title: areOn ? `${label} (${keys[0]!.replace("+", " ")})` : label,
  };
}
