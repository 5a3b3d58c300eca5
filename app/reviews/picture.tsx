import { usePictureFailure } from "../ui/picture-failure.ts";
import * as styles from "./picture.module.css";

/** Checks whether an image is on another site, so that the page's policy must allow it. */
export function isExternalAddress(address: string): boolean {
  return !address.startsWith("/");
}

/** Renders a review's image in a 16:9 frame. Requests to other sites send no referrer. */
export function Picture({ address, alt }: { address: string; alt: string }) {
  const { hasFailed, picture } = usePictureFailure();
  if (hasFailed) return <span className={styles.missing}>This image cannot be shown here.</span>;
  return (
    <img
      {...picture}
      src={address}
      alt={alt}
      width={640}
      height={360}
      loading="lazy"
      referrerPolicy={isExternalAddress(address) ? "no-referrer" : undefined}
    />
  );
}
