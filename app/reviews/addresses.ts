import { type Bucket, buckets, getFileAddress } from "../files/rules.ts";

/**
 * Formats the value of `review_images.image_url` and `review_files.file_url`: bucket and path, without an
 * origin.
 */
export function toStoredAddress({ bucket, path }: { bucket: Bucket; path: string }): string {
  return `${bucket}/${path}`;
}

/** Parses a stored address of our own file; null for an external address, which admins can enter. */
export function parseStoredAddress(stored: string): { bucket: Bucket; path: string } | null {
  const bucket = buckets.find((candidate) => stored.startsWith(`${candidate}/`));
  return bucket ? { bucket, path: stored.slice(bucket.length + 1) } : null;
}

/** Returns the link for a stored address; null for an unsafe one. */
export function toUploadLink(stored: string): string | null {
  const own = parseStoredAddress(stored);
  if (own) return getFileAddress(own.bucket, own.path);
  return isWebAddress(stored) ? stored : null;
}

/** The length limit of an address; a longer one is a copying mistake. */
export const maxUrlLength = 2000;

/** Checks whether a text is the address of a web page. */
export function isWebAddress(text: string): boolean {
  return text.length <= maxUrlLength && /^https?:\/\/[^\s/]/i.test(text) && URL.canParse(text);
}

/** The messages for an invalid address: in a toast, and at the field. */
export const invalidUrl = {
  title: "Invalid URL",
  description: "Please enter a valid URL starting with http:// or https://",
};
export const invalidUrlAtField = "This is not the address of a web page";

/** Returns the review id in a result's address: from the path, or the query's `id` or `reviewId`. */
export function readReviewId({
  params,
  url,
}: {
  params: { id?: string };
  url: URL;
}): string | null {
  return params.id ?? url.searchParams.get("id") ?? url.searchParams.get("reviewId");
}
