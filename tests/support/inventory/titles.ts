/** Patterns for test titles as they appear in the source. */

/** @returns the source of a pattern that matches exactly this text */
export function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

/** Returns a pattern for a title. Its `%s`, `%d`, `$name` and `${name}` match anything. */
export function titlePattern(title: string): string {
  return title
    .split(/%[sdij]|\$\{[^}]+\}|\$[\w.]+/)
    .map(escapePattern)
    .join(".*");
}

/**
 * Checks whether a test file has a test whose title starts with this text. The title of a row of `test.each` must
 * be complete.
 */
export function hasTest(source: string, title: string): boolean {
  if (source.includes(`"${title}`) || source.includes(`\`${title}`)) return true;
  const templates = source.matchAll(/(?:`([^`\n]*\$\{[^`\n]*)`|"([^"\n]*(?:%s|\$\w)[^"\n]*)"),/g);
  return [...templates].some(([, template, eachTitle]) =>
    new RegExp(`^${titlePattern(template ?? eachTitle!)}$`).test(title),
  );
}
