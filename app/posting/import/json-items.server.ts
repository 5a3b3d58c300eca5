/** An item of a JSON list with its line. The text is invalid JSON if `value` is undefined. */
type JsonItem = { line: number; value: unknown };

const [quote, backslash, newline, listStart] = [34, 92, 10, 91];
const opening = new Set([91, 123]);
const closing = new Set([93, 125]);

/**
 * Splits a JSON list of objects into its items, or the list `jobs` of an object. Each is parsed by itself, so that a broken
 * one has a line and the others can be read.
 *
 * @returns null if there is no such list, or if it doesn't end
 */
export function splitJsonItems(text: string): JsonItem[] | null {
  const list = text.trimStart().startsWith("[") ? text.indexOf("[") : findJobsList(text);
  if (list === null) return null;
  const items: JsonItem[] = [];
  let line = 1;
  let lineAt = 0;
  let [start, depth] = [0, 0];
  for (const { at, code } of listBrackets(text, list)) {
    if (opening.has(code)) {
      depth += 1;
      if (depth === 2) start = at;
    } else {
      depth -= 1;
      if (depth === 0) return items;
      if (depth > 1) continue;
      for (; lineAt < start; lineAt++) if (text.charCodeAt(lineAt) === newline) line += 1;
      items.push({ line, value: parseJson(text.slice(start, at + 1)) });
    }
  }
  return null;
}

/** Lists the brackets outside of texts. */
function* listBrackets(text: string, from: number): Generator<{ at: number; code: number }> {
  let isText = false;
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) isText = !isText;
    else if (isText && code === backslash) at += 1;
    else if (!isText && (opening.has(code) || closing.has(code))) yield { at, code };
  }
}

/** Finds the list of an object's key "jobs". */
function findJobsList(text: string): number | null {
  let depth = 0;
  for (const { at, code } of listBrackets(text, 0)) {
    if (opening.has(code)) {
      if (
        depth === 1 &&
        code === listStart &&
        /"jobs"\s*:\s*$/.test(text.slice(Math.max(0, at - 100), at))
      )
        return at;
      depth += 1;
    } else depth -= 1;
  }
  return null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
