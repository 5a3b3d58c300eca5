import { readFileSync } from "node:fs";
import { format, type FormatConfig } from "oxfmt";
import { getSettingDocs } from "../../../app/platform/settings/read-settings.server.ts";
import { type SettingName, settingGroups } from "../../../app/platform/settings/settings.server.ts";

/** Renders `docs/settings.md` from the schema. */
export async function settingsPage(): Promise<string> {
  const tables = groups().map(
    ([group, names]) => `## ${group}\n\n| name | description | default |\n| --- | --- | --- |
${names.map(tableRow).join("\n")}`,
  );
  const intro = `# Settings

Set environment variables, or lines in a \`.env\` file in the project's folder. Environment variables take
precedence. Copy [.env.example](../.env.example) to start: it has all settings. \`ENV_FILE\` in the environment
is the path of another file, or \`none\`.

If \`ORIGIN\` is unset or loopback, the product is a demo and requires no settings. Any other origin means
production: settings marked _production_ are required, and sample values are refused.

The product does not start with an invalid or incomplete setting. It prints one line for each problem, and
warns about misspelled names.`;
  const options = JSON.parse(readFileSync(".oxfmtrc.json", "utf8")) as FormatConfig;
  const { code } = await format("settings.md", [intro, ...tables, ""].join("\n\n"), options);
  return code;
}

/** Renders `.env.example`, with every setting commented out. */
export function envExample(): string {
  const intro = `# Copy this file to .env and uncomment what you set. Environment variables take precedence.
# Without settings the product is a demo. docs/settings.md has the same settings in tables.
# Put a value that contains # in quotes.`;
  const parts = groups().map(([group, names]) =>
    [`# --- ${group}`, ...names.map(exampleOf)].join("\n\n"),
  );
  return `${[intro, ...parts].join("\n\n")}\n`;
}

function groups(): [string, SettingName[]][] {
  return Object.entries(settingGroups).map(([group, its]) => [
    group,
    Object.keys(its) as SettingName[],
  ]);
}

function tableRow(name: SettingName): string {
  const { about, mayBe, inReal } = getSettingDocs(name);
  const real = inReal ? "; _production_: required" : "";
  return `| \`${name}\` | ${about} It must be ${cell(mayBe)}. | ${cell(without(name))}${real} |`;
}

function without(name: SettingName): string {
  const { default: text, otherwise, isSecret } = getSettingDocs(name);
  if (isSecret && text) return "a fixed value";
  if (text === undefined) return otherwise ?? "";
  return typeof text === "string" ? text : `${text.demo} (_production_: ${text.real})`;
}

/** Escapes bars, which would end the table cell. */
function cell(text: string): string {
  return text.replaceAll("|", "\\|");
}

function exampleOf(name: SettingName): string {
  const { about, mayBe, default: text, isSecret, inReal } = getSettingDocs(name);
  const value = isSecret || inReal || text === undefined ? "" : text;
  const required = inReal ? "Required in production; default in a demo" : "Default";
  return [
    `# ${about}`,
    `# It must be ${mayBe}. ${required}: ${without(name).replaceAll("_production_", "production")}.`,
    `# ${name}=${typeof value === "string" ? value : value.demo}`,
  ].join("\n");
}
