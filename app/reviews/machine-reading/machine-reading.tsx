import { Icon } from "../../ui/brand/icon.tsx";
import { partNames } from "../rubric.ts";
import type { MachineReading } from "./machine-reading.server.ts";

/** What software reads of each part that was handed in: what gets lost, then the text in its order. */
export function MachineReadings({ readings }: { readings: MachineReading[] }) {
  if (readings.length === 0) return <p>No page has been made yet that software could read.</p>;
  return (
    <div className="machine-readings">
      {readings.map(({ part, findings, pages }) => (
        <section key={part} aria-labelledby={`reading-${part}`}>
          <h3 id={`reading-${part}`}>{partNames[part]}, as software reads it</h3>
          {findings.length > 0 && (
            <ul className="machine-findings">
              {findings.map(({ isFlaw, text }) => (
                <li key={text} data-flaw={isFlaw || undefined}>
                  <Icon name={isFlaw ? "warning" : "info"} />
                  {text}
                </li>
              ))}
            </ul>
          )}
          {pages.map(({ number, text }) => (
            <div key={number} className="machine-page">
              <h4>Page {number}</h4>
              <p>{text || "No text."}</p>
            </div>
          ))}
        </section>
      ))}
    </div>
  );
}
