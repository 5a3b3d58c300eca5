import { Icon } from "../ui/brand/icon.tsx";
import type { Material } from "./materials.ts";

/** A link for each part that was handed in, each opening beside this page. */
export function MaterialLinks({ materials }: { materials: Material[] }) {
  if (materials.length === 0) return null;
  return (
    <ul className="part-links">
      {materials.map(({ label, href, text }) => (
        <li key={label}>
          {href ? (
            <a href={href} target="_blank" rel="noopener noreferrer" title={text}>
              <Icon name={label === "Portfolio URL" ? "link" : "file"} />
              {label}
              <span className="sr-only"> (opens in a new tab)</span>
            </a>
          ) : (
            `${label}: ${text}`
          )}
        </li>
      ))}
    </ul>
  );
}
