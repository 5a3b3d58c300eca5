import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseEnv } from "node:util";
import leven from "leven";
import { truncateToUnits } from "../text/cut-text.ts";
import {
  type About,
  aboutSettings,
  settingGroups,
  type SettingName,
  settings,
  type Settings,
  together,
} from "./settings.server.ts";

/** Environment variables by name. */
export type Environment = Record<string, string | undefined>;

const names = Object.keys(settings.shape) as SettingName[];

/**
 * Reads every setting. An empty value counts as unset.
 *
 * @throws {Error} with a sentence for each missing or invalid setting.
 */
export function readSettings(env: Environment, lines: Lines = new Map()): Settings {
  const given = Object.fromEntries(
    names.flatMap((name) => (env[name]?.trim() ? [[name, env[name].trim()]] : [])),
  ) as Given;
  const mode = getMode(given.ORIGIN);
  const result = settings.safeParse({ ...getDefaults(mode), ...given });
  const invalid = new Set(result.error?.issues.map(({ path }) => path[0] as SettingName));
  const problems = [
    ...[...invalid].map((name) => formatMalformedSetting(name, given[name], lines.get(name))),
    ...listIncompleteSettings(given),
    ...(mode === "real" ? listUnsafeSettings(given) : []),
  ];
  if (result.success && problems.length === 0) return result.data;
  throw new Error([...problems, ...listMisspelledSettings(env)].join("\n"));
}

type Given = Partial<Record<SettingName, string>>;

/**
 * `ORIGIN` decides between demo and production. Unset or loopback means a demo, where stand-ins
 * replace missing services. Any other origin means production, where the settings for database,
 * email and payments are required.
 */
export type Mode = "demo" | "real";

/** @param origin the raw setting; an invalid one is refused elsewhere */
export function getMode(origin: string | undefined): Mode {
  const isDemo = !origin || !URL.canParse(origin) || isLoopback(new URL(origin).hostname);
  return isDemo ? "demo" : "real";
}

/** Checks whether a host name means this computer. */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

/** Returns the documentation of a setting. */
export function getSettingDocs(name: SettingName): About {
  return aboutSettings.get(settings.shape[name])!;
}

/** A setting as admins see it, without the value of a secret. */
export type ShownSetting = {
  group: string;
  name: string;
  about: string;
  /** A description of the effective value. */
  value: string;
  isGiven: boolean;
};

/** Describes every setting, secrets without their values. */
export function showSettings(env: Environment): ShownSetting[] {
  const mode = getMode(env.ORIGIN?.trim());
  return Object.entries(settingGroups).flatMap(([group, its]) =>
    Object.keys(its).map((name) => {
      const { about } = getSettingDocs(name as SettingName);
      const given = env[name]?.trim();
      const value = given
        ? formatSettingValue(name as SettingName, given)
        : formatMissingSetting(name as SettingName, mode);
      return { group, name, about, value, isGiven: Boolean(given) };
    }),
  );
}

function formatSettingValue(name: SettingName, given: string): string {
  if (getSettingDocs(name).isSecret) return "Set (a secret)";
  return given.length > maxShownLength ? `${truncateToUnits(given, maxShownLength)}…` : given;
}

function formatMissingSetting(name: SettingName, mode: Mode): string {
  const { default: text, otherwise = "", isSecret } = getSettingDocs(name);
  if (text === undefined) return `Not set: ${otherwise}`;
  if (isSecret) return "Not set: the sample";
  return typeof text === "string" ? text : text[mode];
}

function getDefaults(mode: Mode): Given {
  return Object.fromEntries(
    names.flatMap((name) => {
      const { default: text } = getSettingDocs(name);
      return text === undefined ? [] : [[name, typeof text === "string" ? text : text[mode]]];
    }),
  );
}

/** Longer values are truncated in messages. */
const maxShownLength = 80;

function formatMalformedSetting(name: SettingName, value = "", line?: number): string {
  const { mayBe, isSecret } = getSettingDocs(name);
  const actual = isSecret
    ? "its current value (a secret)"
    : JSON.stringify(truncateToUnits(value, maxShownLength));
  const where = line === undefined ? "" : ` (line ${line} of .env)`;
  return `${name} must be ${mayBe}, not ${actual}${where}.`;
}

function listIncompleteSettings(given: Given): string[] {
  return together.flatMap((group) => {
    const [first] = group.filter((name) => given[name]);
    const missing = group.filter((name) => !given[name]);
    return first
      ? missing.map((name) => `${name} is required with ${first}: ${formatAllowedValues(name)}`)
      : [];
  });
}

function formatAllowedValues(name: SettingName): string {
  return `it must be ${getSettingDocs(name).mayBe}.`;
}

function listUnsafeSettings(given: Given): string[] {
  const required = names.filter((name) => getSettingDocs(name).inReal === "required");
  const partly = new Set(together.filter((group) => group.some((name) => given[name])).flat());
  return required.flatMap((name) => {
    const value = given[name];
    if (value && isSample(name, value))
      return [`${name} still has the sample value. Production needs your own.`];
    if (value || partly.has(name)) return [];
    return [`${name} is required when ORIGIN is ${given.ORIGIN}: ${formatAllowedValues(name)}`];
  });
}

/** Email to and from the sample domain is never delivered. */
function isSample(name: SettingName, value: string): boolean {
  return value === getSettingDocs(name).default || value.includes("@naksha.example");
}

/** Short names allow only one typo, because they resemble too many others. */
const shortName = 5;

/**
 * Finds environment variables whose names look like misspelled settings.
 *
 * @returns a sentence for each.
 */
export function listMisspelledSettings(env: Record<string, string | undefined>): string[] {
  const known = Object.keys(settings.shape);
  return Object.keys(env).flatMap((name) => {
    if (known.includes(name)) return [];
    const intended = known.find((other) => isSimilar(name, other));
    return intended
      ? [`${name} is not a setting and has no effect. Did you mean ${intended}?`]
      : [];
  });
}

function isSimilar(name: string, known: string): boolean {
  const maxTypos = known.length > shortName ? 2 : 1;
  return leven(name.toUpperCase(), known, { maxDistance: maxTypos + 1 }) <= maxTypos;
}

/** The line of each setting that comes from a file. */
export type Lines = ReadonlyMap<string, number>;

/**
 * Adds the settings of a folder's `.env` to the environment, which takes precedence.
 * `ENV_FILE` in the environment is the path of another file, or `none`.
 *
 * @returns the line of each setting that comes from the file.
 * @throws {Error} if `ENV_FILE` does not exist, or a setting has no equals sign.
 */
export function loadEnvFile(folder: string, env: NodeJS.ProcessEnv = process.env): Lines {
  const file = resolve(folder, env.ENV_FILE || ".env");
  const lines = new Map<string, number>();
  if (env.ENV_FILE === "none" || (!env.ENV_FILE && !existsSync(file))) return lines;
  const text = readText(file);
  requireEqualsSigns(text, file);
  for (const [name, value] of Object.entries(parseEnv(text))) {
    if (env[name] !== undefined) continue;
    env[name] = value;
    lines.set(name, findSettingLine(name, text));
  }
  return lines;
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    throw new Error(
      `${file} cannot be read. ENV_FILE must be the path of the settings file, or none.`,
    );
  }
}

/** Reports lines without an equals sign, which Node's parser ignores. */
function requireEqualsSigns(text: string, file: string): void {
  const invalid = text.split("\n").flatMap((line, index) => {
    const [, name = ""] = /^\s*(?:export\s+)?(\w+)\s*(?:[^=\w\s]|\s[^=\s]|$)/.exec(line) ?? [];
    if (!Object.hasOwn(settings.shape, name)) return [];
    return [`${name} needs an equals sign before its value (line ${index + 1} of ${file}).`];
  });
  if (invalid.length > 0) throw new Error(invalid.join("\n"));
}

/** A setting that appears twice has its last value. */
function findSettingLine(name: string, text: string): number {
  const start = new RegExp(`^\\s*(?:export\\s+)?${name}\\s*=`);
  return text.split("\n").findLastIndex((line) => start.test(line)) + 1;
}
