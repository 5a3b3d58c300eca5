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
  const begin = `# Settings

Set them as environment variables or in a file \`.env\` in the project's folder. The environment takes
precedence. To start, copy [.env.example](../.env.example). Set \`ENV_FILE\` in the environment to use another
file, or to \`none\`.

\`ORIGIN\` decides the mode. Unset or loopback runs a demo, where nothing is required. Any other origin runs in
production: settings marked _production_ are required, and sample values are refused.

The server won't start with an invalid or incomplete setting. It prints one line for each problem, and a warning
for a name that looks like a misspelled setting.`;
  const options = JSON.parse(readFileSync(".oxfmtrc.json", "utf8")) as FormatConfig;
  const { code } = await format("settings.md", [begin, ...tables, ""].join("\n\n"), options);
  return code;
}

/** Renders `.env.example`, with every setting as a comment to uncomment. */
export function envExample(): string {
  const begin = `# Copy this file to .env and uncomment the settings you need. The environment takes precedence.
# Without any settings, Naksha runs a demo. docs/settings.md has the same list as a table.
# Put a value with a # in it in quotes.`;
  const parts = groups().map(([group, names]) =>
    [`# --- ${group}`, ...names.map(exampleOf)].join("\n\n"),
  );
  return `${[begin, ...parts].join("\n\n")}\n`;
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
  if (isSecret && text) return "a fixed one";
  if (text === undefined) return otherwise ?? "";
  return typeof text === "string" ? text : `${text.demo} (_production_: ${text.real ?? otherwise})`;
}

/** Escapes bars, which would end the cell. */
function cell(text: string): string {
  return text.replaceAll("|", "\\|");
}

function exampleOf(name: SettingName): string {
  const { about, mayBe, default: text, isSecret, inReal } = getSettingDocs(name);
  const value = isSecret || inReal || text === undefined ? "" : text;
  const required = inReal ? "Required in production. Default in a demo" : "Default";
  return [
    `# ${about}`,
    `# It must be ${mayBe}. ${required}: ${without(name).replaceAll("_production_", "production")}.`,
    `# ${name}=${typeof value === "string" ? value : value.demo}`,
  ].join("\n");
}
