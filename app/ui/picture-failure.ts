import { type RefCallback, useCallback, useEffect, useState } from "react";

type PictureFailure = {
  hasFailed: boolean;
  /** Puts the picture back, so that the browser loads it again. */
  retry(): void;
  /** Attributes of the picture. */
  picture: { ref: RefCallback<HTMLImageElement>; onError(): void };
};

/** Notices that a picture couldn't be loaded, and loads it again when the connection returns. */
export function usePictureFailure(): PictureFailure {
  const [hasFailed, setHasFailed] = useState(false);
  const retry = useCallback(() => setHasFailed(false), []);
  useEffect(() => {
    if (!hasFailed) return undefined;
    window.addEventListener("online", retry);
    return () => window.removeEventListener("online", retry);
  }, [hasFailed, retry]);
  return {
    hasFailed,
    retry,
    picture: {
      // It can fail before hydration.
      ref: (image) => {
        if (image?.complete && image.naturalWidth === 0) setHasFailed(true);
      },
      onError: () => setHasFailed(true),
    },
  };
}
