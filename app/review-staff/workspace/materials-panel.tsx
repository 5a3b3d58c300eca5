import type { ReactNode } from "react";
import type { Sheet } from "../../annotations/marked.ts";
import { EarlierSheet } from "../../annotations/second-look/earlier-sheet.tsx";
import { Icon } from "../../ui/brand/icon.tsx";
import { TabLinks } from "../../ui/layout/tabs.tsx";
import type { HandedImage, Material } from "../../reviews/materials.server.ts";
import type { MachineReading } from "../../annotations/machine-reading/machine-reading.server.ts";
import type { PartPages } from "../../annotations/document-pages/pages.server.ts";
import { isExternalAddress } from "../../reviews/picture.tsx";
import type { PinnedImage } from "../../annotations/remarks/editor.tsx";
import type { ScreenshotView } from "../../annotations/rules.ts";
import { Sheets } from "../../annotations/remarks/sheets.tsx";
import { pointsOfPixel } from "../../files/render/rendering.ts";
import { partNames } from "../../reviews/rubric.ts";
import * as styles from "./workspace.module.css";
import * as machineReadingStyles from "../../annotations/machine-reading/machine-reading.module.css";
import * as buttonStyles from "../../ui/form/button.module.css";
import * as scrollAreaStyles from "../../ui/layout/scroll-area.module.css";

/** The pages and images that remarks can be pinned to. */
type Handed = { pages: PartPages[]; images: HandedImage[] };

/** The customer's files: links to all, then each part that can be read in place. */
export function Materials({ materials, ...rest }: MaterialPagesProps) {
  return (
    <section
      className={`${styles.materials} ${scrollAreaStyles.scrollArea}`}
      aria-labelledby="materials"
    >
      <h2 id="materials">Submitted materials</h2>
      <MaterialList materials={materials} />
      <MaterialPages materials={materials} {...rest} />
    </section>
  );
}

/** Links to the customer's files, in the order resume, portfolio URL, portfolio file. */
export function MaterialList({ materials }: { materials: Material[] }) {
  if (materials.length === 0)
    return <p className="text-ink-soft">The customer sent no materials with this review.</p>;
  return (
    <ul className={styles.materialLinks}>
      {materials.map((material) => (
        <li key={material.label}>
          <MaterialLink material={material} />
        </li>
      ))}
    </ul>
  );
}

type MaterialPagesProps = Partial<Handed> & {
  materials: Material[];
  reviewId?: string;
  /**
   * The text that software reads, shown instead of the pages; null while the pages are shown, absent where only
   * these are.
   */
  readings?: MachineReading[] | null;
  /** True when screenshots can be added on the same screen. */
  canAdd?: boolean;
  /** True if the pages scroll in a column of their own. */
  inColumn?: boolean;
  /** The earlier pages of a second look, and whether they are shown beside the new ones. */
  earlier?: { sheets: Sheet[]; areShown: boolean } | null;
};

/** The customer's files that can be read in place: as pages with pins, or in a frame. */
export function MaterialPages({
  materials,
  pages = [],
  images = [],
  reviewId,
  readings,
  canAdd = false,
  inColumn,
  earlier,
}: MaterialPagesProps) {
  const asPages = pages.filter((part) => part.pages.length > 0 || part.isComing);
  const readable = materials.filter(
    ({ label, shownAs }) =>
      (shownAs === "pdf" || shownAs === "image") &&
      !asPages.some(({ part }) => part === (label === "Resume" ? "resume" : "portfolio")),
  );
  const address = `/reviewer/submission/${reviewId}` as const;
  const views = readings !== undefined &&
    (readings || pages.some((part) => part.pages.length > 0)) && (
      <TabLinks
        label="How to read it"
        items={[
          ...(earlier
            ? [{ label: "Both", to: address, current: !readings && earlier.areShown }]
            : []),
          {
            label: "Pages",
            to: earlier ? (`${address}?pages` as const) : address,
            current: !readings && !earlier?.areShown,
          },
          { label: "What software reads", to: `${address}?reading`, current: readings !== null },
        ]}
      />
    );
  return (
    <>
      {pages.map(({ part, notice, isComing }) => (
        <PagesNotice key={part} part={part} notice={notice} isComing={isComing} />
      ))}
      {readable.map((material, index) => (
        <details
          key={material.label}
          className={styles.material}
          name="material"
          open={index === 0}
        >
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
      {readings || hasPlaces({ pages, images }) ? (
        <Sheets
          inColumn={inColumn}
          views={views}
          earlier={earlier?.areShown ? renderEarlierSheets(earlier.sheets) : undefined}
          otherView={readings && <MachineReadings readings={readings} />}
        />
      ) : (
        canAdd && <NothingToPin />
      )}
    </>
  );
}

/** Renders the earlier pages with their pins, which lead to the earlier remarks, by their keys. */
function renderEarlierSheets(sheets: readonly Sheet[]): ReadonlyMap<string, ReactNode> {
  return new Map(sheets.map((sheet) => [sheet.id, <EarlierSheet key={sheet.id} sheet={sheet} />]));
}

/** The notice about the missing pages of a part. */
function PagesNotice({ part, notice, isComing }: Pick<PartPages, "part" | "notice" | "isComing">) {
  return (
    <p className={styles.pagesNotice} aria-live="polite" data-coming={isComing || undefined}>
      {notice && (
        <>
          <strong>{partNames[part]}:</strong> {notice}
        </>
      )}
    </p>
  );
}

/** Shown when there is nothing to pin remarks to. */
function NothingToPin() {
  return (
    <div className={styles.nothingToPin}>
      <p>There are no pages to mark. Add screenshots and pin your remarks to them.</p>
      <a className={`${buttonStyles.button} ${buttonStyles.secondary}`} href="#screenshots">
        <Icon name="plus" />
        Add screenshots
      </a>
    </div>
  );
}

function MaterialLink({ material: { label, href, text, shownAs } }: { material: Material }) {
  const content = (
    <>
      <strong>{label}</strong>
      <span>{text}</span>
    </>
  );
  if (!href) return <p>{content}</p>;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer">
      <Icon name={shownAs === "download" ? "download" : "external"} />
      {content}
      <span className="sr-only">
        {shownAs === "download" ? "(download)" : "(opens in a new tab)"}
      </span>
    </a>
  );
}

/** Checks whether there is a page or a screenshot, or will be soon. */
function hasPlaces({ pages, images }: Handed): boolean {
  return (
    pages.some((part) => part.isComing || part.pages.length > 0) ||
    listPinnableImages(images).length > 0
  );
}

/**
 * Lists the images that remarks can be pinned to. Images on other sites are left out, since we never fetch them.
 *
 * @param measured the same images with their sizes, where known
 */
export function listPinnableImages(
  images: HandedImage[],
  measured: Pick<ScreenshotView, "id" | "width" | "height">[] = [],
): PinnedImage[] {
  return images.flatMap(({ id, href }, index) => {
    if (!href || isExternalAddress(href)) return [];
    const sized = measured.find((one) => one.id === id && one.width > 0);
    const ratio = sized && sized.width / sized.height;
    const pixels = sized && sized.width / pointsOfPixel;
    return [{ id, href, label: `Screenshot ${index + 1}`, ratio, pixels }];
  });
}

/** The text that software reads of each part: the problems, then the text in its order. */
function MachineReadings({ readings }: { readings: MachineReading[] }) {
  if (readings.length === 0) return <p>The text is not available yet.</p>;
  return (
    <div className={machineReadingStyles.readings}>
      {readings.map(({ part, findings, pages }) => (
        <section key={part} aria-labelledby={`reading-${part}`}>
          <h3 id={`reading-${part}`}>{partNames[part]}, as software reads it</h3>
          {findings.length > 0 && (
            <ul className={machineReadingStyles.findings}>
              {findings.map(({ isProblem, text }) => (
                <li key={text} data-flaw={isProblem || undefined}>
                  <Icon name={isProblem ? "warning" : "info"} />
                  {text}
                </li>
              ))}
            </ul>
          )}
          {pages.map(({ number, text }) => (
            <div key={number} className={machineReadingStyles.page}>
              <h4>Page {number}</h4>
              <p>{text || "No text."}</p>
            </div>
          ))}
        </section>
      ))}
    </div>
  );
}
