import { readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { expect, test } from "vitest";
import { type Config, readConfig } from "../../app/platform/config.server.ts";
import { getSettingDocs } from "../../app/platform/settings/read-settings.server.ts";
import { type SettingName, settings } from "../../app/platform/settings/settings.server.ts";
import { envExample, settingsPage } from "../support/inventory/settings-pages.ts";

/** Delete the pages and run this test to generate them again. */
test("docs/settings.md and .env.example match the schema", async () => {
  await expect(await settingsPage()).toMatchFileSnapshot("../../docs/settings.md");
  await expect(envExample()).toMatchFileSnapshot("../../.env.example");
});

test("the README lists exactly the settings that production requires", () => {
  const rows = readFileSync("README.md", "utf8").match(/^\| `[A-Z].*$/gm) ?? [];
  const named = rows.join("\n").matchAll(/`([A-Z][A-Z_]+)`/g);
  const required = Object.keys(settings.shape).filter(
    (name) => getSettingDocs(name as SettingName).inReal,
  );
  expect(new Set([...named].map(([, name]) => name))).toEqual(new Set(["ORIGIN", ...required]));
});

test(".env.example without comment marks equals a demo without settings", () => {
  const uncommented = envExample().replaceAll(/^# (?=[A-Z\d_]+=)/gm, "");
  const example = parseEnv(uncommented);
  expect(new Set(Object.keys(example))).toEqual(new Set(Object.keys(settings.shape)));
  expect(configOf(example)).toEqual(configOf({}));
});

/** Leaves out the list of given settings, which differs. */
function configOf(env: Record<string, string | undefined>): Omit<Config, "settings"> {
  const { settings: _given, ...config } = readConfig(env);
  return config;
}
