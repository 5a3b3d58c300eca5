import type { Sheet } from "../marked.ts";

/**
 * Renders the pictures of a page from top to bottom. Their sides are set, so loading causes no layout shift.
 *
 * @param isFirst whether the page is at the top of the screen, so that it loads at once
 */
export function Bands({
  sheet: { title, width, height, bands, href },
  isFirst = false,
}: {
  sheet: Sheet;
  isFirst?: boolean;
}) {
  // Screenshots can be of unknown size; pins are positioned by fractions.
  const sides = width > 0 ? { width: Math.round(width), height: Math.round(height) } : {};
  if (bands.length === 0) return <img src={href!} alt={title} {...sides} />;
  return bands.map((band, index) => {
    const isAtOnce = isFirst && index === 0;
    return (
      <img
        key={band.top}
        loading={isAtOnce ? "eager" : "lazy"}
        fetchPriority={isAtOnce ? "high" : undefined}
        decoding="async"
        src={band.small}
        srcSet={`${band.small} 800w, ${band.large} 1600w`}
        sizes="(width >= 64rem) 44rem, 100vw"
        alt={index === 0 ? title : ""}
        width={1600}
        height={Math.round((1600 * band.height * height) / width)}
      />
    );
  });
}
