import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseEnv } from "node:util";
import { settings } from "./settings.server.ts";

/** The line at which each setting stands in a file, for those that come from there. */
export type Lines = ReadonlyMap<string, number>;

/**
 * Adds the settings of a folder's `.env` to the environment, which wins where both have one.
 * `ENV_FILE` in the environment names another file, or is `none`.
 *
 * @returns at which line each of those stands that come from the file.
 * @throws {Error} when a file that is named is not there, or the equals sign of a setting is not.
 */
export function loadEnvFile(folder: string, env: NodeJS.ProcessEnv = process.env): Lines {
  const file = resolve(folder, env.ENV_FILE || ".env");
  const lines = new Map<string, number>();
  if (env.ENV_FILE === "none" || (!env.ENV_FILE && !existsSync(file))) return lines;
  const text = readText(file);
  expectEqualsSigns(text, file);
  for (const [name, value] of Object.entries(parseEnv(text))) {
    if (env[name] !== undefined) continue;
    env[name] = value;
    lines.set(name, lineOf(name, text));
  }
  return lines;
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    throw new Error(`${file} cannot be read. ENV_FILE names the file with settings, or is none.`);
  }
}

/** Node's reader would pass over such a line in silence. */
function expectEqualsSigns(text: string, file: string): void {
  const wrong = text.split("\n").flatMap((line, index) => {
    const [, name = ""] = /^\s*(?:export\s+)?(\w+)\s*(?:[^=\w\s]|\s[^=\s]|$)/.exec(line) ?? [];
    if (!Object.hasOwn(settings.shape, name)) return [];
    return [`${name} needs an equals sign before its value (line ${index + 1} of ${file}).`];
  });
  if (wrong.length > 0) throw new Error(wrong.join("\n"));
}

/** Of a name that stands twice the last one counts. */
function lineOf(name: string, text: string): number {
  const begins = new RegExp(`^\\s*(?:export\\s+)?${name}\\s*=`);
  return text.split("\n").findLastIndex((line) => begins.test(line)) + 1;
}
