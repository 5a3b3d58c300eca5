/** Patterns for the titles of tests, as they are written in a test file. */

/** @returns the source of a pattern that matches exactly this text */
export function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

/** Returns a pattern for a title, in which `%s`, `%d`, `$name` and `${name}` match anything. */
export function titlePattern(title: string): string {
  return title
    .split(/%[sdij]|\$\{[^}]+\}|\$[\w.]+/)
    .map(escapePattern)
    .join(".*");
}

/**
 * Finds out whether a test file has a test whose title begins with these words. The title of a test that is made
 * for each row of a table has to be given in full.
 */
export function hasTest(source: string, title: string): boolean {
  if (source.includes(`"${title}`) || source.includes(`\`${title}`)) return true;
  const templates = source.matchAll(/(?:`([^`\n]*\$\{[^`\n]*)`|"([^"\n]*(?:%s|\$\w)[^"\n]*)"),/g);
  return [...templates].some(([, template, eachTitle]) =>
    new RegExp(`^${titlePattern(template ?? eachTitle!)}$`).test(title),
  );
}
