import { Invalid } from "../../platform/errors.ts";
import { invalidUrl, isWebAddress } from "../buy/submission.ts";
import { cleanText, messages, noteLimit } from "../assign/rules.ts";

/** An image's address and annotation as an admin types them. */
export type TypedImage = { imageUrl: string; annotation: string };

/**
 * An image as it is kept: trimmed, and without annotation null for it.
 *
 * @param kept.link where the image is read that is being changed: it may stay, though it is no web address
 * @throws {Invalid} for an address that is missing or none of the web, or an annotation that is too long.
 */
export function readTypedImage(
  typed: TypedImage,
  kept?: { imageUrl: string; link: string | null },
): { imageUrl: string; annotation: string | null } {
  const imageUrl = typed.imageUrl.trim();
  const annotation = cleanText(typed.annotation).trim() || null;
  if (imageUrl === "") throw new Invalid({ imageUrl: messages.imageUrlMissing });
  const isKept = kept !== undefined && imageUrl === kept.link;
  if (!isKept && !isWebAddress(imageUrl)) throw new Invalid({ imageUrl: invalidUrl.description });
  if ((annotation?.length ?? 0) > noteLimit)
    throw new Invalid({ annotation: messages.noteTooLong });
  return { imageUrl: isKept ? kept.imageUrl : imageUrl, annotation };
}
