import { readFileSync } from "node:fs";
import { format, type FormatConfig } from "oxfmt";
import { getSettingDocs } from "../../../app/platform/settings/read-settings.server.ts";
import { type SettingName, settingGroups } from "../../../app/platform/settings/settings.server.ts";

/** `docs/settings.md`, as the schema says it. */
export async function settingsPage(): Promise<string> {
  const tables = groups().map(
    ([group, names]) => `## ${group}\n\n| name | what it is | without it |\n| --- | --- | --- |
${names.map(tableRow).join("\n")}`,
  );
  const begin = `# Settings

Environment variables, or lines of a file \`.env\` in the project's folder, which gives way to the
environment. [.env.example](../.env.example) has all of them, to be copied. \`ENV_FILE\` in the environment
names another file, or is \`none\`.

\`ORIGIN\` decides: unset or loopback means a demonstration, where nothing is required; any other origin means
real operation, where what is marked _real_ is required, samples are refused, and no stand-in exists.

A value that is none of a setting's refuses to start, and so does a half of what belongs together; all is
said at once. A name that is nearly a setting's is warned of.`;
  const options = JSON.parse(readFileSync(".oxfmtrc.json", "utf8")) as FormatConfig;
  const { code } = await format("settings.md", [begin, ...tables, ""].join("\n\n"), options);
  return code;
}

/** `.env.example`: every setting as a comment, to be made a line by taking its mark away. */
export function envExample(): string {
  const begin = `# Copy this file to .env, and take the mark away before what you set; the environment wins over it.
# Without any of these the product is a demonstration. docs/settings.md says the same in a table.
# A value with a # in it stands in quotes.`;
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
  const real = inReal ? "; _real_: required" : "";
  return `| \`${name}\` | ${about} It must be ${cell(mayBe)}. | ${cell(without(name))}${real} |`;
}

function without(name: SettingName): string {
  const { default: text, otherwise, isSecret } = getSettingDocs(name);
  if (isSecret && text) return "a fixed one";
  if (text === undefined) return otherwise ?? "";
  return typeof text === "string" ? text : `${text.demo} (_real_: ${text.real})`;
}

/** A bar ends a cell. */
function cell(text: string): string {
  return text.replaceAll("|", "\\|");
}

function exampleOf(name: SettingName): string {
  const { about, mayBe, default: text, isSecret, inReal } = getSettingDocs(name);
  const value = isSecret || inReal || text === undefined ? "" : text;
  const required = inReal
    ? "Required in real operation; in a demonstration without it"
    : "Without it";
  return [
    `# ${about}`,
    `# It must be ${mayBe}. ${required}: ${without(name).replaceAll("_real_", "real")}.`,
    `# ${name}=${typeof value === "string" ? value : value.demo}`,
  ].join("\n");
}
