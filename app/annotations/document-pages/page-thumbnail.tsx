import type { CSSProperties } from "react";
import { Icon } from "../../ui/brand/icon.tsx";
import * as styles from "./page-thumbnail.module.css";

/** The top of a page as a small picture. */
export type Thumbnail = {
  address: string;
  /** The width divided by the height, of the page as shown. */
  ratio: number;
};

/** Taller pages show only their top. */
const minRatio = 0.5;

/** Builds the thumbnail of a rendered page; null without pictures. */
export function toThumbnail({
  width,
  height,
  bands: [top],
}: {
  width: number;
  height: number;
  bands: { small: string }[];
}): Thumbnail | null {
  return top ? { address: top.small, ratio: Math.max(minRatio, width / height) } : null;
}

/**
 * A page in a slot of fixed size, so that nothing moves when its picture arrives.
 *
 * @param ratio of the empty sheet while the page is prepared; null draws a file without pages
 * @param label describes the picture; "" for a picture beside its name
 */
export function PageThumbnail({
  thumbnail,
  ratio,
  label,
}: {
  thumbnail: Thumbnail | null;
  ratio: number | null;
  label: string;
}) {
  const style = { "--ratio": thumbnail?.ratio ?? ratio ?? 3 / 4 } as CSSProperties;
  return (
    <span className={styles.pageThumbnail} style={style}>
      {thumbnail ? (
        <img src={thumbnail.address} alt={label} loading="lazy" decoding="async" />
      ) : (
        <span className={ratio === null ? styles.drawn : styles.coming}>
          {ratio === null && <Icon name="file" />}
        </span>
      )}
    </span>
  );
}
