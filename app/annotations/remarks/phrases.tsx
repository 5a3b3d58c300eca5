import {
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useRef,
  useState,
} from "react";
import { Form, useRevalidator } from "react-router";
import { Button } from "../../ui/form/button.tsx";
import { sendChange } from "../../ui/send-change.ts";
import type { Phrase } from "./scores.server.ts";
import { toSearchForm } from "../../platform/text/text.ts";
import { phraseShortcuts } from "../shortcuts/editor-shortcuts.ts";
import { findShortcut } from "../shortcuts/shortcuts.ts";
import * as styles from "./phrases.module.css";

/** A reviewer's own phrases, and the endpoint that saves new ones. */
export type PhrasesToUse = { own: readonly Phrase[]; address: string };

/** A search before the caret: "/" and a few letters. */
const queryPattern = /(?:^|\s)\/([\p{L}\p{M}\p{Cf}\d]*)$/u;

type PhraseSearch = {
  /** The matching phrases; null while there is no search. */
  matches: readonly Phrase[] | null;
  take(phrase: Phrase): void;
  list: RefObject<HTMLDivElement | null>;
  /** Handlers for the text field. */
  onField: {
    onInput(): void;
    onSelect(): void;
    onKeyDown(event: KeyboardEvent): void;
    onBlur(event: FocusEvent): void;
  };
};

/**
 * Finds phrases for the letters typed after "/", and inserts the chosen one.
 *
 * @param own null for people who cannot have phrases
 */
export function usePhraseSearch(
  area: RefObject<HTMLTextAreaElement | null>,
  own: readonly Phrase[] | null,
  onTake: (text: string) => void,
): PhraseSearch {
  const [letters, setLetters] = useState<string | null>(null);
  const list = useRef<HTMLDivElement>(null);
  const matches =
    letters === null || own === null
      ? null
      : own.filter(({ text }) => toSearchForm(text).includes(toSearchForm(letters))).slice(0, 6);

  function take({ text }: Phrase) {
    const field = area.current!;
    const caret = field.selectionStart;
    const typed = (findPhraseQuery(field)?.length ?? -1) + 1;
    field.setRangeText(text, caret - typed, caret, "end");
    field.focus();
    setLetters(null);
    onTake(field.value);
  }

  return {
    matches,
    take,
    list,
    onField: {
      onInput: () => setLetters(findPhraseQuery(area.current!)),
      /** Ends the search when the caret leaves it. */
      onSelect: () => letters !== findPhraseQuery(area.current!) && setLetters(null),
      onKeyDown(event) {
        // Read from the field, since a key event can arrive before the previous key's select event.
        if (!matches || letters !== findPhraseQuery(area.current!)) return;
        const action = findShortcut(phraseShortcuts, event);
        if (action === "leavePhrases") setLetters(null);
        else if (action === "usePhrase" && matches[0]) take(matches[0]);
        else if (action === "nextPhrase") list.current?.querySelector("button")?.focus();
        else return;
        event.preventDefault();
      },
      onBlur({ relatedTarget }) {
        if (!list.current?.contains(relatedTarget)) setLetters(null);
      },
    },
  };
}

/** Finds the letters of a search before the caret; null without a search. */
function findPhraseQuery({ value, selectionStart }: HTMLTextAreaElement): string | null {
  return queryPattern.exec(value.slice(0, selectionStart))?.[1] ?? null;
}

/** Shows matching phrases below a text field, or the button that saves the text as a phrase. */
export function WithPhrases({
  search: { matches, take, list },
  text,
  phrases,
  children,
}: {
  search: PhraseSearch;
  text: string;
  phrases: PhrasesToUse | null;
  children: ReactNode;
}) {
  return (
    <div className={styles.withPhrases}>
      {children}
      {matches && (
        // Safari does not focus pressed buttons. The list is focusable so that the blur does not close it
        // first.
        <div
          className={styles.phrases}
          role="group"
          aria-label="Saved phrases"
          ref={list}
          tabIndex={-1}
        >
          {matches.length === 0 && (
            <p role="status">
              {phrases?.own.length === 0
                ? "You have no saved phrases yet."
                : "No saved phrase has these letters."}
            </p>
          )}
          {matches.map((phrase) => (
            <button
              key={phrase.id}
              type="button"
              onKeyDown={movePhraseFocus}
              onClick={() => take(phrase)}
            >
              {phrase.text}
            </button>
          ))}
        </div>
      )}
      {!matches && phrases && <SavePhrase text={text.trim()} {...phrases} />}
    </div>
  );
}

function movePhraseFocus(event: KeyboardEvent<HTMLButtonElement>) {
  const { currentTarget: button } = event;
  const action = findShortcut(phraseShortcuts, event);
  const next = {
    nextPhrase: button.nextElementSibling,
    previousPhrase: button.previousElementSibling,
    leavePhrases: button.closest(`.${styles.withPhrases}`)?.querySelector("textarea"),
    usePhrase: null,
    findPhrases: null,
  }[action ?? "usePhrase"];
  if (!(next instanceof HTMLElement)) return;
  event.preventDefault();
  next.focus();
}

function SavePhrase({ text, own, address }: PhrasesToUse & { text: string }) {
  const { revalidate } = useRevalidator();
  const [result, setResult] = useState<{ of: string; message: string } | null>(null);
  if (result?.of === text)
    return (
      <p className={styles.keep} role="status">
        {result.message}
      </p>
    );
  if (text === "" || own.some((phrase) => toSearchForm(phrase.text) === toSearchForm(text)))
    return null;

  async function keep() {
    const answer = await sendChange(address, { intent: "save-phrase", text });
    setResult({
      of: text,
      message: answer.ok
        ? "Saved. Type / and a few of its letters to use it again."
        : `Not saved. ${answer.message}`,
    });
    if (answer.ok) await revalidate();
  }

  return (
    <p className={`${styles.keep} needs-scripts`}>
      <Button size="sm" variant="ghost" onClick={() => void keep()}>
        Save as a phrase
      </Button>
    </p>
  );
}

/** Renders the list where phrases are deleted. */
export function OwnPhrases({ own }: PhrasesToUse) {
  if (own.length === 0) return null;
  return (
    <details className={styles.ownPhrases}>
      <summary>Your saved phrases ({own.length})</summary>
      <ul>
        {own.map(({ id, text }) => (
          <li key={id}>
            <span>{text}</span>
            <Form method="post" preventScrollReset>
              <input type="hidden" name="id" value={id} />
              <Button
                type="submit"
                name="intent"
                value="delete-phrase"
                size="sm"
                variant="ghost"
                aria-description={text}
              >
                Delete
              </Button>
            </Form>
          </li>
        ))}
      </ul>
    </details>
  );
}
