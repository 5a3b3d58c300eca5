import { Link } from "react-router";

/** The product's name beside its mark: a survey station, the fixed point that maps are drawn from. */
export function Wordmark({ name }: { name: string }) {
  return (
    <Link to="/" className="wordmark" prefetch="intent">
      <svg viewBox="0 0 32 32" aria-hidden="true">
        <path d="M16 3 30 28H2z" fill="none" stroke="currentColor" strokeWidth="3.5" />
        <circle cx="16" cy="20" r="3.75" fill="var(--color-accent)" />
      </svg>
      {name}
    </Link>
  );
}
