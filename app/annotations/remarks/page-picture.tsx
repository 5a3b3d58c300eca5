import type { ComponentProps, MouseEvent } from "react";
import { Button } from "../../ui/form/button.tsx";
import { usePictureFailure } from "../../ui/picture-failure.ts";
import * as styles from "./page-picture.module.css";

/** Renders a picture of a page or a screenshot. If it couldn't be loaded, a button loads it again. */
export function PagePicture({ alt, ...image }: ComponentProps<"img"> & { alt: string }) {
  const { hasFailed, retry, picture } = usePictureFailure();
  if (!hasFailed) return <img alt={alt} {...image} {...picture} />;

  function onRetry({ currentTarget }: MouseEvent) {
    // The button is removed, so the page's own button takes its focus.
    currentTarget.closest("figure")?.querySelector("button")?.focus({ preventScroll: true });
    retry();
  }

  const { width = 4, height = 3 } = image;
  return (
    <div className={styles.failed} role="status" style={{ aspectRatio: `${width} / ${height}` }}>
      <p>This page couldn't load.</p>
      <Button size="sm" onClick={onRetry}>
        Try again
      </Button>
    </div>
  );
}
