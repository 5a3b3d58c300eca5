import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { permissions } from "../../../app/accounts/permissions.server.ts";
import {
  jobCommands,
  lookCommands,
  pageCommands,
  draftCommands,
  questionCommands,
  replyCommands,
  reviewCommands,
  submissionCommands,
  teamCommands,
} from "./commands.ts";
import { forms } from "./forms.ts";
import { otherCommands } from "./other-commands.ts";
import { eventsOf } from "./permissions.ts";
import { type ScreenRow, screenRoutes, screens } from "./screens.ts";

type Route = { path: string; file: string; source: string };

/**
 * Compares the inventory with `app/routes.ts` and the sources.
 *
 * @returns a sentence for each thing that is missing: what to write, and where
 */
export function listMissing(): string[] {
  const found = screenRoutes.map((route) => ({
    ...route,
    source: readFileSync(join("app", route.file), "utf8"),
  }));
  return [
    ...found.flatMap(listMissingOfScreen),
    ...found.flatMap(listMissingForms),
    ...listWithoutRoute(found),
    ...listMissingPermissions(),
    ...listMissingCommands(),
  ];
}

function listMissingOfScreen({ path, file, source }: Route): string[] {
  const row = screens[path];
  const inRow = (what: string) => `add ${what} to its row in tests/support/inventory/screens.ts`;
  const isScreen = file.endsWith(".screen.tsx");
  const hasAddress = row?.states !== undefined || row?.at !== undefined;
  const missing: [isMissing: boolean, text: string][] = [
    [
      !row,
      `add a row to tests/support/inventory/screens.ts, such as "${path}": ` +
        '{ who: signedIn, states: [["name-of-the-state"]] }',
    ],
    [isScreen && !!row && !hasAddress, inRow("`states`, the states to look at in a browser")],
    [
      !isScreen && path.includes(":") && !!row && !hasAddress,
      inRow("`at`, an address in the demo data"),
    ],
    [path.includes(":") && !row?.thing, inRow("`thing`, who may see the thing behind its id")],
    [
      isScreen && !/\bmeta\b/.test(source),
      `export \`meta\` with its title from app/${file}, by buildPrivateMeta or buildPublicMeta of app/ui/meta.ts`,
    ],
    [
      /buildPublicMeta\(/.test(source) && /page: \w+Page\b/.test(source) && !row?.page,
      inRow("`page`, the constant of its title and description"),
    ],
    [
      row?.page !== undefined && !/\bhandle\b/.test(source),
      `export \`handle\` (a PublicScreen of app/ui/meta.ts) from app/${file}`,
    ],
    [
      isScreen &&
        hasAction(source) &&
        !row?.handlesConflicts &&
        !source.includes("shouldRevalidate"),
      `export \`shouldRevalidate = revalidateAfterRefusal\` of app/ui/refused-forms.ts from app/${file}, ` +
        "or add `handlesConflicts: true` to its row if its forms can never be too late",
    ],
    // Visitors can open no screen of logged-in people. Layouts guard those of staff.
    [
      isScreen && isForLoggedIn(row) && !source.includes("middleware"),
      `export \`middleware = [requireSignIn]\` of app/accounts/guards.server.ts from app/${file}`,
    ],
  ];
  return missing.flatMap(([isMissing, text]) => (isMissing ? [`${path}: ${text}`] : []));
}

function isForLoggedIn(row: ScreenRow | undefined): boolean {
  return row !== undefined && row.who.includes("customer") && !row.who.includes("visitor");
}

function listMissingForms({ path, source, file }: Route): string[] {
  if (!hasAction(source)) return [];
  const intents = [...intentsIn(join("app", file))];
  const rows = forms.filter(({ route }) => route === path).map(({ intent }) => intent);
  const found = intents.length > 0 ? intents : [""];
  const add = found.filter((intent) => !rows.includes(intent));
  // A form without an intent may do something beside those with one.
  const remove = rows.filter((intent) => intent !== "" && !found.includes(intent));
  return [
    ...add.map(
      (intent) =>
        `${path}: add the form ${intent && `"${intent}" `}to tests/support/inventory/forms.ts, with the people for ` +
        `whom it does something, such as ...at("${path}", [["${intent}", signedIn, () => ({ field: "valid" })]])`,
    ),
    ...remove.map(
      (intent) => `${path}: remove the form "${intent}" from tests/support/inventory/forms.ts`,
    ),
  ];
}

function listWithoutRoute(found: Route[]): string[] {
  const paths = new Set(found.map(({ path }) => path));
  const named = [
    ...Object.keys(screens).map((path) => [path, "screens.ts"]),
    ...[...new Set(forms.map(({ route }) => route))].map((path) => [path, "forms.ts"]),
  ];
  return named
    .filter(([path]) => !paths.has(path!))
    .map(
      ([path, file]) =>
        `${path}: remove its rows from tests/support/inventory/${file}, or add it to app/routes.ts`,
    );
}

function listMissingPermissions(): string[] {
  return Object.keys(permissions)
    .filter((permission) => !(permission in eventsOf))
    .map(
      (permission) =>
        `${permission}: add its holders to \`eventsOf\` in tests/support/inventory/permissions.ts`,
    );
}

function listMissingCommands(): string[] {
  const inCode = commandsInCode();
  const rows = Object.keys({
    ...reviewCommands,
    ...jobCommands,
    ...submissionCommands,
    ...draftCommands,
    ...questionCommands,
    ...lookCommands,
    ...replyCommands,
    ...pageCommands,
    ...teamCommands,
    ...otherCommands,
  });
  return [
    ...inCode
      .filter((name) => !rows.includes(name))
      .map(
        (name) =>
          `${name}: add who can run it to tests/support/inventory/commands.ts if it changes a review or a job, ` +
          `otherwise to other-commands.ts there, such as ${name}: { may: admin, run: ({ db, actor }) => ${name}(db, actor) }`,
      ),
    ...rows
      .filter((name) => !inCode.includes(name))
      .map(
        (name) => `${name}: remove its row, since no function of this name asks for a permission`,
      ),
  ];
}

/** Lists the functions that ask for a permission: commands, and reads for some people. */
function commandsInCode(): string[] {
  const names: string[] = [];
  for (const file of globSync("{app,server}/**/*.server.{ts,tsx}")) {
    const text = readFileSync(file, "utf8");
    for (const [, name, body] of text.matchAll(
      /^export (?:async )?function (\w+)[\s\S]*?\{\n([\s\S]*?)^\}/gm,
    )) {
      if (/\bauthorize\(actor, /.test(body!)) names.push(name!);
    }
  }
  return names;
}

function hasAction(source: string): boolean {
  return /^export (?:async function|function|const) action\b/m.test(source);
}

/** Collects the intents from a screen and the modules it imports. */
function intentsIn(file: string, seen = new Set<string>()): Set<string> {
  const intents = new Set<string>();
  if (seen.has(file) || !existsSync(file)) return intents;
  seen.add(file);
  const text = readFileSync(file, "utf8");
  for (const pattern of [
    /\bintent=(?:"[\w-]+"|\{[^}]*\})/g,
    /name="intent"\s+value=(?:"[\w-]+"|\{[^}]*\})/g,
    /\bintent: z\.(?:literal|enum)\(([^)]*)\)/g,
    /get\("intent"\) === "[\w-]+"/g,
    /switch \([^{]*\bintent\b[^{]*\{[\s\S]*?\n {2}\}/g,
  ]) {
    for (const [found] of text.matchAll(pattern))
      for (const intent of wordsIn(found)) intents.add(intent);
  }
  for (const intent of rowsIn(text)) intents.add(intent);
  for (const [, path] of text.matchAll(/from "(\.[^"]+)"/g)) {
    const imported = join(dirname(file), path!);
    if (!/\.tsx?$/.test(imported) || imported.includes("+types")) continue;
    for (const intent of intentsIn(imported, seen)) intents.add(intent);
  }
  return intents;
}

/** Reads the keys of `formActions({ … })`, on one line or on several. The key "" has no intent. */
function rowsIn(text: string): string[] {
  const inLines = [...text.matchAll(/[fF]ormActions\(\{\n([\s\S]*?)\n\}\)/g)].flatMap(
    ([, rows]) => [...rows!.matchAll(/^ {2}"?([\w-]+)"?[:,]/gm)],
  );
  const inOneLine = [...text.matchAll(/[fF]ormActions\(\{ (.*) \}\)/g)].flatMap(([, rows]) => [
    ...rows!.matchAll(/(?:^|, )"?([\w-]+)"?(?=[:,]|$)/g),
  ]);
  return [...inLines, ...inOneLine].map(([, intent]) => intent!);
}

function wordsIn(found: string): string[] {
  if (found.startsWith("switch")) return [...found.matchAll(/case "([\w-]+)"/g)].map(([, w]) => w!);
  return [...found.matchAll(/"([\w-]+)"/g)].map(([, word]) => word!).filter((w) => w !== "intent");
}
