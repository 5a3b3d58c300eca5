import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseEnv } from "node:util";
import leven from "leven";
import { findGstinState } from "../india/gstin.ts";
import { stateCodes } from "../india/states.ts";
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

export type Environment = Record<string, string | undefined>;

const names = Object.keys(settings.shape) as SettingName[];

/**
 * Reads every setting. An empty text counts as not set.
 *
 * @throws {Error} with a sentence for each missing or wrong setting.
 */
export function readSettings(env: Environment, lines: Lines = new Map()): Settings {
  const values = Object.fromEntries(
    names.flatMap((name) => (env[name]?.trim() ? [[name, env[name].trim()]] : [])),
  ) as Given;
  const mode = getMode(values.ORIGIN);
  const result = settings.safeParse({ ...getDefaults(mode), ...values });
  const wrong = new Set(result.error?.issues.map(({ path }) => path[0] as SettingName));
  const problems = [
    ...[...wrong].map((name) => formatMalformedSetting(name, values[name], lines.get(name))),
    ...listIncompleteSettings(values),
    ...(result.success ? listContradictions(result.data) : []),
    ...(mode === "real" ? listUnsafeSettings(values) : []),
  ];
  if (result.success && problems.length === 0) return result.data;
  throw new Error([...problems, ...listMisspelledSettings(env)].join("\n"));
}

type Given = Partial<Record<SettingName, string>>;

/**
 * `ORIGIN` decides between demo and production. Unset or loopback runs a demo, with stand-ins for every missing
 * service. With any other origin, the database, mail and payment settings are required.
 */
export type Mode = "demo" | "real";

/** @param origin the setting's text. An invalid address is refused elsewhere. */
export function getMode(origin: string | undefined): Mode {
  const isDemo = !origin || !URL.canParse(origin) || isLoopback(new URL(origin).hostname);
  return isDemo ? "demo" : "real";
}

/** Checks whether a name is loopback. */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

export function getSettingDocs(name: SettingName): About {
  return aboutSettings.get(settings.shape[name])!;
}

/** A setting for the admin screen, without the value of a secret. */
export type ShownSetting = {
  group: string;
  name: string;
  about: string;
  /** The value in effect, as text. */
  value: string;
  isGiven: boolean;
};

/** Lists every setting as text, without the values of secrets. */
export function showSettings(env: Environment): ShownSetting[] {
  const mode = getMode(env.ORIGIN?.trim());
  return Object.entries(settingGroups).flatMap(([group, its]) =>
    Object.keys(its).map((name) => {
      const { about } = getSettingDocs(name as SettingName);
      const text = env[name]?.trim();
      const value = text
        ? formatSettingValue(name as SettingName, text)
        : formatMissingSetting(name as SettingName, mode);
      return { group, name, about, value, isGiven: Boolean(text) };
    }),
  );
}

function formatSettingValue(name: SettingName, text: string): string {
  if (getSettingDocs(name).isSecret) return "Set (a secret)";
  return text.length > maxValueLength ? `${truncateToUnits(text, maxValueLength)}…` : text;
}

function formatMissingSetting(name: SettingName, mode: Mode): string {
  const { default: text, otherwise = "", isSecret } = getSettingDocs(name);
  if (isSecret && text) return "Not set: the sample value";
  const value = typeof text === "string" ? text : text?.[mode];
  return value ?? `Not set: ${otherwise}`;
}

function getDefaults(mode: Mode): Given {
  return Object.fromEntries(
    names.flatMap((name) => {
      const { default: text } = getSettingDocs(name);
      const value = typeof text === "string" ? text : text?.[mode];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** Longer values are cut. */
const maxValueLength = 80;

function formatMalformedSetting(name: SettingName, value = "", line?: number): string {
  const { mayBe, isSecret, findFault } = getSettingDocs(name);
  const actual = isSecret
    ? "its current value (a secret)"
    : JSON.stringify(truncateToUnits(value, maxValueLength));
  const where = line === undefined ? "" : ` (line ${line} of .env)`;
  const fault = findFault?.(value);
  return `${name} must be ${mayBe}, not ${actual}${where}.${fault ? ` ${fault}` : ""}`;
}

function listIncompleteSettings(values: Given): string[] {
  return together.flatMap((group) => {
    const [first] = group.filter((name) => values[name]);
    const missing = group.filter((name) => !values[name]);
    return first
      ? missing.map((name) => `${name} is required with ${first}: ${formatAllowedValues(name)}`)
      : [];
  });
}

/** Finds settings that are right by themselves, but not together. */
function listContradictions(set: Settings): string[] {
  const { GSTIN, MERCHANT_STATE, SAC_LISTING, LISTING_PRICE } = set;
  const problems: string[] = [];
  const state = GSTIN && findGstinState(GSTIN);
  if (state && MERCHANT_STATE && state !== MERCHANT_STATE)
    problems.push(
      `MERCHANT_STATE is ${MERCHANT_STATE}, but GSTIN starts with ${stateCodes[state]}, the code of ${state}. Correct one of them.`,
    );
  if (GSTIN && LISTING_PRICE && !SAC_LISTING)
    problems.push(
      `SAC_LISTING is required with GSTIN and LISTING_PRICE: ${formatAllowedValues("SAC_LISTING")}`,
    );
  const apart = set.PRICE_RESUME + set.PRICE_PORTFOLIO;
  if (set.PRICE_COMBINED >= apart)
    problems.push(
      `PRICE_COMBINED must be less than ${apart / 100}, which is PRICE_RESUME and PRICE_PORTFOLIO together: the services page calls it a discount.`,
    );
  return problems;
}

function formatAllowedValues(name: SettingName): string {
  return `it must be ${getSettingDocs(name).mayBe}.`;
}

function listUnsafeSettings(values: Given): string[] {
  const required = names.filter((name) => getSettingDocs(name).inReal === "required");
  const partly = new Set(together.filter((group) => group.some((name) => values[name])).flat());
  return required.flatMap((name) => {
    const value = values[name];
    if (value && isSample(name, value))
      return [`${name} is still the sample value. Production needs your own.`];
    if (value || partly.has(name)) return [];
    return [`${name} is required when ORIGIN is ${values.ORIGIN}: ${formatAllowedValues(name)}`];
  });
}

/** Mail to and from the sample domain is not delivered. */
function isSample(name: SettingName, value: string): boolean {
  return value === getSettingDocs(name).default || value.includes("@naksha.example");
}

/** Short names are similar to too many others. */
const shortName = 5;

/**
 * Finds names in the environment that are similar to a setting's, and have no effect.
 *
 * @returns a sentence for each
 */
export function listMisspelledSettings(env: Record<string, string | undefined>): string[] {
  const settingNames = Object.keys(settings.shape);
  return Object.keys(env).flatMap((name) => {
    if (settingNames.includes(name)) return [];
    const similar = settingNames.find((other) => isNear(name, other));
    return similar ? [`${name} isn't a setting. Did you mean ${similar}?`] : [];
  });
}

function isNear(name: string, setting: string): boolean {
  const maxDistance = setting.length > shortName ? 2 : 1;
  return leven(name.toUpperCase(), setting, { maxDistance: maxDistance + 1 }) <= maxDistance;
}

/** The line number of each setting from a file. */
export type Lines = ReadonlyMap<string, number>;

/**
 * Adds the settings from a folder's `.env` to the environment, which takes precedence. `ENV_FILE` in the environment
 * names another file, or is `none`.
 *
 * @returns the line number of each setting from the file
 * @throws {Error} if the named file or the equals sign of a setting is missing.
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
    throw new Error(`Couldn't read ${file}. Set ENV_FILE to the settings file, or to none.`);
  }
}

/** Node's parser silently skips a line without an equals sign. */
function requireEqualsSigns(text: string, file: string): void {
  const wrong = text.split("\n").flatMap((line, index) => {
    const [, name = ""] = /^\s*(?:export\s+)?(\w+)\s*(?:[^=\w\s]|\s[^=\s]|$)/.exec(line) ?? [];
    if (!Object.hasOwn(settings.shape, name)) return [];
    return [`${name} needs an equals sign before its value (line ${index + 1} of ${file}).`];
  });
  if (wrong.length > 0) throw new Error(wrong.join("\n"));
}

/** The last line of a repeated setting counts. */
function findSettingLine(name: string, text: string): number {
  const begins = new RegExp(`^\\s*(?:export\\s+)?${name}\\s*=`);
  return text.split("\n").findLastIndex((line) => begins.test(line)) + 1;
}
