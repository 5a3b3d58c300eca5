import { type KeyboardEvent, useEffect, useEffectEvent, useRef, useState } from "react";
import { useNavigate } from "react-router";
import { second } from "../platform/clock.ts";
import { Icon } from "../ui/brand/icon.tsx";
import { Dialog } from "../ui/feedback/dialog.tsx";
import { Tooltip } from "../ui/feedback/tooltip.tsx";
import { Link } from "../ui/link.tsx";
import { maxSearchLength } from "../ui/list/search.ts";
import { writeQuery } from "../platform/lists/lists.ts";
import { countNoun } from "../platform/count-noun.ts";
import type { OwnPath } from "../platform/own-path.ts";
import { type ResultGroup, ResultGroups } from "./result-groups.tsx";
import * as styles from "./admin.module.css";
import * as finderStyles from "./finder.module.css";
import * as fieldStyles from "../ui/form/field.module.css";

const screen = "/admin/search";

/** The link to the search. With scripts, it and Ctrl+K or Cmd+K open a dialog. */
export function SearchDialog({ isFolded }: { isFolded: boolean }) {
  const [isOpen, setIsOpen] = useState(false);
  useSearchShortcut(() => setIsOpen(true));
  const link = (
    <Link
      to={screen}
      className={styles.sideFind}
      aria-keyshortcuts="Control+K Meta+K"
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        setIsOpen(true);
      }}
    >
      <Icon name="search" />
      <span className={styles.sideWord}>Search</span>
      <kbd className={styles.sideWord} aria-hidden="true">
        Ctrl K
      </kbd>
    </Link>
  );
  return (
    <>
      {isFolded ? (
        <Tooltip words="Search" keys="Ctrl K">
          {link}
        </Tooltip>
      ) : (
        link
      )}
      <Dialog
        open={isOpen}
        title="Search"
        leave="Close"
        closed={undefined}
        onClose={() => setIsOpen(false)}
      >
        <SearchBody close={() => setIsOpen(false)} />
      </Dialog>
    </>
  );
}

/** The field and its results. Arrow keys move through them, and Enter opens the first. */
function SearchBody({ close }: { close(): void }) {
  const body = useRef<HTMLDivElement>(null);
  const navigate = useNavigate();
  const [search, setSearch] = useState("");
  const { hits, state } = useResults(search);
  const [first] = hits?.groups.flatMap(({ results }) => results) ?? [];
  const isCurrent = hits?.search === search;
  const open = (to: OwnPath) => {
    close();
    void navigate(to);
  };

  function moveFocus(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step || !body.current) return;
    const stops = [...body.current.querySelectorAll<HTMLElement>("input, a")];
    const at = stops.indexOf(document.activeElement as HTMLElement);
    event.preventDefault();
    stops[Math.min(Math.max(at + step, 0), stops.length - 1)]?.focus();
  }

  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- arrow keys move between the field and the links
    <div ref={body} className={finderStyles.finder} onKeyDown={moveFocus}>
      <form
        role="search"
        onSubmit={(event) => {
          event.preventDefault();
          open(isCurrent && first ? first.to : `${screen}${writeQuery({ search })}`);
        }}
      >
        <input
          type="search"
          className={fieldStyles.input}
          aria-label="Search people, reviews, orders and screens"
          placeholder="Name, email, ID or screen"
          maxLength={maxSearchLength}
          autoComplete="off"
          enterKeyHint="go"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
      </form>
      <p className="sr-only" role="status">
        {isCurrent && search && formatCount(hits.groups)}
      </p>
      {state === "failed" ? (
        <p className={finderStyles.empty}>
          The search failed. Check your connection, then type again.
        </p>
      ) : hits && hits.groups.length > 0 ? (
        <ResultGroups groups={hits.groups} level={3} onOpen={close} />
      ) : (
        <p className={finderStyles.empty}>
          {hits ? `Nothing matches “${hits.search}”.` : "Loading…"}
        </p>
      )}
    </div>
  );
}

function formatCount(groups: ResultGroup[]): string {
  const count = groups.flatMap(({ results }) => results).length;
  return countNoun(count, "result");
}

/** The pause after typing before a search starts. */
const debounceMs = second / 6;

/** Searches while a person types. Earlier results stay until the next ones arrive. */
function useResults(search: string) {
  const [hits, setHits] = useState<{ search: string; groups: ResultGroup[] } | null>(null);
  const [state, setState] = useState<"ready" | "failed">("ready");
  useEffect(() => {
    const ended = new AbortController();
    const load = async () => {
      try {
        const answer = await fetch(`${screen}/results${writeQuery({ search: search.trim() })}`, {
          signal: ended.signal,
        });
        if (!answer.ok || answer.redirected) throw new Error("No results");
        setHits({ search, groups: (await answer.json()) as ResultGroup[] });
        setState("ready");
      } catch {
        if (!ended.signal.aborted) setState("failed");
      }
    };
    const timer = setTimeout(() => void load(), search ? debounceMs : 0);
    return () => {
      clearTimeout(timer);
      ended.abort();
    };
  }, [search]);
  return { hits, state };
}

function useSearchShortcut(open: () => void) {
  const onKey = useEffectEvent((event: globalThis.KeyboardEvent) => {
    const isShortcut =
      event.key.toLowerCase() === "k" &&
      (event.ctrlKey || event.metaKey) &&
      !event.altKey &&
      !event.shiftKey;
    if (!isShortcut || document.querySelector("dialog:modal")) return;
    event.preventDefault();
    open();
  });
  useEffect(() => {
    const listen = (event: globalThis.KeyboardEvent) => onKey(event);
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, []);
}
