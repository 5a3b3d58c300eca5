import { type Bucket, buckets } from "./rules.ts";

/**
 * Where a stored file is read: "/storage/<bucket>/<path>". Tables keep only the bucket and the path.
 * Paths hold nothing that an address would have to escape, but letters of every script.
 */
export function fileAddress(bucket: Bucket, path: string): string {
  return `/storage/${bucket}/${path}`;
}

/** The bucket and path that such an address names; null for any other address. */
export function readFileAddress(address: string): { bucket: Bucket; path: string } | null {
  const [, name, path] = /^\/storage\/([^/]+)\/(.+)$/s.exec(address) ?? [];
  const bucket = buckets.find((known) => known === name);
  return bucket && path ? { bucket, path } : null;
}
