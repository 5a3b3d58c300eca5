import { useId } from "react";
import type { OwnPath } from "../platform/own-path.ts";
import { Link } from "../ui/link.tsx";
import * as styles from "./finder.module.css";

/** A person, order, review or screen. */
export type SearchResult = { to: OwnPath; title: string; note: string };

/** Results of one kind. */
export type ResultGroup = { name: string; results: SearchResult[] };

/** Lists results by kind, each with a heading of the given level. */
export function ResultGroups({
  groups,
  level,
  onOpen,
}: {
  groups: ResultGroup[];
  level: 2 | 3;
  onOpen?: () => void;
}) {
  const id = useId();
  const Heading = `h${level}` as const;
  return groups.map(({ name, results }) => (
    <section key={name} className={styles.group} aria-labelledby={`${id}${name}`}>
      <Heading id={`${id}${name}`}>{name}</Heading>
      <ul>
        {results.map(({ to, title, note }) => (
          <li key={to}>
            <Link to={to} onClick={onOpen}>
              <span>{title}</span>
              {note && <span className={styles.note}>{note}</span>}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  ));
}
