type Matches = readonly ({ loaderData?: unknown } | undefined)[];

/** The product's public address, as the root's data has it; "" when even that could not be read. */
export function metaOrigin(matches: Matches): string {
  const root = matches[0]?.loaderData as { origin?: string } | undefined;
  return root?.origin ?? "";
}

/** The one address under which search engines should know a page. */
export function canonical(origin: string, path: string) {
  return { tagName: "link" as const, rel: "canonical", href: origin + path };
}
