import { Icon } from "../../ui/brand/icon.tsx";
import type { Material } from "../materials.ts";

/** What the customer handed in: links to all of it, then each part that can be read in place. */
export function Materials({ materials }: { materials: Material[] }) {
  const readable = materials.filter(({ shownAs }) => shownAs === "pdf" || shownAs === "image");
  return (
    <section className="materials scroll-area" aria-labelledby="materials">
      <h2 id="materials">Submitted materials</h2>
      {materials.length === 0 && (
        <p className="text-ink-soft">Nothing was handed in with this review.</p>
      )}
      <ul className="material-links">
        {materials.map((material) => (
          <li key={material.label}>
            <MaterialLink material={material} />
          </li>
        ))}
      </ul>
      {readable.map((material, index) => (
        <details key={material.label} className="material" name="material" open={index === 0}>
          <summary>
            <Icon name="chevron-down" />
            {material.label}
          </summary>
          {material.shownAs === "pdf" ? (
            // oxlint-disable-next-line react/iframe-missing-sandbox -- browsers show no PDF in a sandbox
            <iframe
              src={`${material.href}#view=FitH&navpanes=0`}
              title={material.label}
              loading="lazy"
            />
          ) : (
            <img src={material.href!} alt={`${material.label} of the customer`} loading="lazy" />
          )}
        </details>
      ))}
    </section>
  );
}

function MaterialLink({ material: { label, href, text, shownAs } }: { material: Material }) {
  const words = (
    <>
      <strong>{label}</strong>
      <span>{text}</span>
    </>
  );
  if (!href) return <p>{words}</p>;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer">
      <Icon name={shownAs === "download" ? "download" : "external"} />
      {words}
      <span className="sr-only">
        {shownAs === "download" ? "(download)" : "(opens in a new tab)"}
      </span>
    </a>
  );
}
