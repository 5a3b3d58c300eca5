import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { settings } from "../../app/platform/settings/settings.server.ts";
import { sources } from "../../server/bundle/fresh-build.ts";
import { readCommand } from "../../server/operator/program.ts";

/** The pages for operators and the files that belong to them. */
const page = [
  "running",
  "containers",
  "scaling",
  "payments",
  "maintenance",
  "logs",
  "breach",
  "breach-people",
]
  .map((name) => readFileSync(`docs/${name}.md`, "utf8"))
  .join("\n");
const compose = readFileSync("compose.yaml", "utf8");
const commands = Array.from(
  page.matchAll(/^ *```(?:sh|cron)\n(.*?)^ *```/gms),
  ([, block]) => block!,
);

test("every setting in docs/running.md exists or is used by compose.yaml", () => {
  const named = Array.from(
    page.matchAll(
      /^ *([A-Z][A-Z\d_]+)=|`([A-Z][A-Z\d]*_[A-Z\d_]+|PORT|HOST|ROLE|SECRET)(?:=[^`]*)?`/gm,
    ),
    ([, assigned, quoted]) => assigned ?? quoted!,
  );
  expect(named.length).toBeGreaterThan(40);
  const used = Array.from(compose.matchAll(/\$\{([A-Z\d_]+)/g), ([, name]) => name!);
  const known = new Set([...Object.keys(settings.shape), ...used, "COMPOSE_PROFILES"]);
  expect(named.filter((name) => !known.has(name))).toEqual([]);
});

test("every setting in compose.yaml exists", () => {
  const [, given = ""] = /^x-settings:(.*?)^x-web:/ms.exec(compose) ?? [];
  const names = Array.from(given.matchAll(/^ {2}([A-Z\d_]+):/gm), ([, name]) => name!);
  expect(names).toContain("DATABASE_URL");
  expect(names.filter((name) => !Object.hasOwn(settings.shape, name))).toEqual([]);
});

test("every operator command in docs/running.md is valid", () => {
  const lines = commands.map((block) => block.replaceAll(/\\\n\s*/g, ""));
  const words = lines.flatMap((block) =>
    Array.from(block.matchAll(/ admin (?:-- )?(.+)$/gm), ([, line]) => line!),
  );
  expect(words.length).toBeGreaterThan(8);
  for (const line of words) {
    const args = Array.from(
      line.matchAll(/"([^"]*)"|(\S+)/g),
      ([, quoted, bare]) => quoted ?? bare!,
    );
    expect(readCommand(args), line).toMatchObject({ work: {} });
  }
});

test("every npm script and file in docs/running.md exists", () => {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: object };
  const named = Array.from(page.matchAll(/npm run (?:--silent )?([a-z-]+)/g), ([, name]) => name!);
  expect(Object.keys(scripts)).toEqual(expect.arrayContaining([...new Set(named)]));
  for (const [, file] of page.matchAll(/(deploy\/[\w.]+)/g))
    expect(readFileSync(file!, "utf8")).not.toBe("");
});

test("every metric in docs/running.md exists", () => {
  const code = ["app/platform/metrics.server.ts", "server/metrics.ts"].map((file) =>
    readFileSync(file, "utf8"),
  );
  const names = Array.from(
    page.matchAll(/naksha_([a-z_]+?)(?:_bucket|_count)?\b/g),
    ([, name]) => name!,
  );
  expect(names.length).toBeGreaterThan(5);
  for (const name of names) expect(code.join(), name).toMatch(new RegExp(`"(naksha_)?${name}"`));
});

test("the container image has all build sources, so it does not build at startup", () => {
  const through = readFileSync(".dockerignore", "utf8").matchAll(/^!(.+)$/gm);
  const copied = Array.from(through, ([, path]) => path!);
  expect(copied).toEqual(expect.arrayContaining([...sources, "package.json", "run.mjs"]));
});
