import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

/** docs/security.md and docs/asvs cover every requirement, and everything they refer to exists. */

const files = ["security.md", "asvs/web.md", "asvs/people.md", "asvs/operation.md"];
const pages = files.map((file) => [`docs/${file}`, readFileSync(`docs/${file}`, "utf8")] as const);
const text = pages.map(([, page]) => page).join("\n");

/** The levels of the requirements in each section of ASVS 5.0.0, without level 3. */
const levels: Record<string, string> = {
  "1.1": "22",
  "1.2": "111112222",
  "1.3": "11222222222",
  "1.4": "222",
  "1.5": "12",
  "2.1": "122",
  "2.2": "112",
  "2.3": "1222",
  "2.4": "2",
  "3.2": "11",
  "3.3": "1222",
  "3.4": "112222",
  "3.5": "11122",
  "3.7": "22",
  "4.1": "122",
  "4.2": "2",
  "4.3": "22",
  "4.4": "1222",
  "5.1": "2",
  "5.2": "112",
  "5.3": "11",
  "5.4": "222",
  "6.1": "122",
  "6.2": "111111112222",
  "6.3": "1122",
  "6.4": "1122",
  "6.5": "22222",
  "6.6": "222",
  "6.8": "2222",
  "7.1": "222",
  "7.2": "1111",
  "7.3": "22",
  "7.4": "11222",
  "7.5": "22",
  "7.6": "22",
  "8.1": "12",
  "8.2": "112",
  "8.3": "1",
  "8.4": "2",
  "9.1": "111",
  "9.2": "1222",
  "10.1": "22",
  "10.2": "22",
  "10.3": "2222",
  "10.4": "11111222222",
  "10.5": "22222",
  "10.6": "22",
  "10.7": "222",
  "11.1": "22",
  "11.2": "222",
  "11.3": "112",
  "11.4": "1222",
  "11.5": "2",
  "11.6": "2",
  "12.1": "122",
  "12.2": "11",
  "12.3": "2222",
  "13.1": "2",
  "13.2": "22222",
  "13.3": "22",
  "13.4": "12222",
  "14.1": "22",
  "14.2": "1222",
  "14.3": "122",
  "15.1": "122",
  "15.2": "122",
  "15.3": "1222222",
  "16.1": "2",
  "16.2": "22222",
  "16.3": "2222",
  "16.4": "222",
  "16.5": "222",
  "17.1": "2",
  "17.2": "2222",
  "17.3": "22",
};

const rows = Array.from(
  text.matchAll(/^\| (\d+\.\d+\.\d+) *\| (\d) *\|[^|]*\| (.*) \|$/gm),
  ([, number = "", level = "", answer = ""]) => ({ number, level, answer }),
);

test("every requirement of levels 1 and 2 has one row, with its level", () => {
  const expected = Object.entries(levels).flatMap(([section, of]) =>
    Array.from(of, (level, index) => `${section}.${index + 1} of level ${level}`),
  );
  expect(expected).toHaveLength(253);
  expect(rows.map(({ number, level }) => `${number} of level ${level}`)).toEqual(expected);
});

test("every row says where it is met, or why not", () => {
  for (const { number, answer } of rows)
    expect(answer, number).toMatch(/^\*\*(met|n\/a|no)\*\*: \S.{5,}/);
});

test("every file and test in them exists", () => {
  const named = Array.from(text.matchAll(/`([\w@.-]+(?:\/[\w@.-]+)+)`/g), ([, path]) => path!);
  const paths = named.filter((path) => !path.startsWith("@"));
  expect(paths.length).toBeGreaterThan(100);
  expect(paths.filter((path) => !existsSync(path))).toEqual([]);
});

test("every link leads to an existing section", () => {
  for (const [page, content] of pages)
    for (const [, path = "", section] of content.matchAll(
      /\]\((?!https:)([^)#]*)(?:#([^)]*))?\)/g,
    )) {
      const file = path === "" ? page : join(dirname(page), path);
      expect(existsSync(file), `${page}: ${file}`).toBe(true);
      if (section) expect(listSections(file), `${page}: ${file}#${section}`).toContain(section);
    }
});

test("the summary counts the requirements that are not met", () => {
  const unmet = rows.filter(({ answer }) => answer.startsWith("**no**")).map(({ level }) => level);
  const [, one, all] = /(\d+) of level 1 and (\d+) in all are not met/.exec(text) ?? [];
  expect([one, all]).toEqual([
    String(unmet.filter((level) => level === "1").length),
    String(unmet.length),
  ]);
});

/** Lists the headings of a page, as links name them. */
function listSections(file: string): string[] {
  const headings = readFileSync(file, "utf8").matchAll(/^#+ (.*)$/gm);
  return Array.from(headings, ([, heading]) =>
    heading!
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, "")
      .replaceAll(" ", "-"),
  );
}
