import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import {
  findComments,
  findDeclaredNames,
  findNames,
  findPlainComments,
  findSentenceComparisons,
} from "./read-source.ts";

/**
 * Counts things that make code hard to read for newcomers, and fails above the limits in limits.json:
 *
 *     npm run words                          the counts
 *     npm run words -- --list app/jobs       also each occurrence in files under these paths
 */

/** A file, with its path relative to the root. */
type File = { path: string; text: string };

/** A count, with its name in limits.json and its occurrences. */
type Figure = { limit: keyof typeof limits; title: string; count: number; places: Place[] };

type Place = { path: string; what: string };

const root = join(import.meta.dirname, "../..");
const limits = JSON.parse(readFileSync(join(import.meta.dirname, "limits.json"), "utf8")) as Record<
  | "firstWords"
  | "firstWordsUsedOnce"
  | "namesWithSeveralMeanings"
  | "riddleCommentsInPercent"
  | "oldFashionedWords"
  | "errorsKnownByASentence"
  | "limitsNotNamedMaxOrMin"
  | "vagueNames"
  | "fileNames",
  number
>;

const otherKinds =
  /\.(?:css|sql|json|ya?ml|toml|py|service)$|(?:^|\/)(?:Containerfile|Caddyfile|run|\.[\w.]+)$/;

/** Written by a program, or lists of names. */
const generated = /^package-lock\.json|^db\/migrations\/meta\/|places\.json$/;

/** Comments that start with these words usually lack a subject and a verb. */
const riddle =
  /^(?:What|Who|Whoever|Whom|Whose|Whether|Of|Where|How|As|Such|Those|None|Nothing|Nobody|Only|Far|From|By|Past|Beside|Behind|Until|Without|Long|Enough|So|Kept|Is|Are)\b/;

const oldFashioned =
  /\b(?:begun|in vain|anew|somebody|whereabouts|whoever|nobody's|thereof|whence|hitherto|(?:is|are) told|as ever|lies in|goes back|let in|stands? (?:on|in|at|there))\b/gi;

/** Names such as `longestTitle`, where the rest of the code has `maxTitleLength`. */
const oldLimit = /^(?:longest|shortest|most|least|fewest|biggest|largest|smallest)(?![a-z])/;

/** Participles that don't say what a variable holds. */
const vague =
  /^(?:found|shown|given|said|asked|told|held|taken|wanted|kept|known|seen|sent|gone|had|made|got|heard|needed)$/;

/** File names without a noun, such as `removed.ts`. */
const bareParticiple =
  /^(?:(?!feed\b|seed\b|speed\b)\w+ed|found|shown|given|sent|made|seen|known|lost|hidden|broken|built)(?:-(?:in|out|up|back|again))?$/;

/** React Router requires these names. */
const framework = new Set(
  [
    "action clientAction clientLoader ErrorBoundary handle headers",
    "links loader meta middleware shouldRevalidate",
  ].flatMap((names) => names.split(" ")),
);

runWords();

function runWords() {
  const { values, positionals } = parseArgs({
    options: { list: { type: "boolean", default: false } },
    allowPositionals: true,
  });
  const figures = measure();
  for (const { limit, title, count, places } of figures) {
    const mark = count > limits[limit] ? "✗" : "✓";
    console.log(
      `${mark} ${title.padEnd(50)} ${String(count).padStart(5)}   limit ${limits[limit]}`,
    );
    if (!values.list) continue;
    for (const { path, what } of places.filter((place) => isUnder(place.path, positionals)))
      console.log(`    ${path}: ${what}`);
  }
  if (figures.some(({ limit, count }) => count > limits[limit])) {
    console.error("\nList the occurrences with: npm run words -- --list <path>");
    process.exitCode = 1;
  }
}

function isUnder(path: string, folders: string[]): boolean {
  return folders.length === 0 || folders.some((folder) => path.startsWith(folder));
}

function measure(): Figure[] {
  const code = listTrackedFiles(
    ["app", "server", "db", "tools", "bench", ":(glob)*.ts", ":(glob)*.mjs"],
    /\.(?:tsx?|mjs)$/,
  ).filter(({ path }) => !isTest(path));
  const tests = listTrackedFiles(["app", "server", "db", "tests", "tools"], /\.tsx?$/).filter(
    ({ path }) => isTest(path),
  );
  const docs = listTrackedFiles(["."], /\.md$/);
  const others = listTrackedFiles(["."], otherKinds)
    .filter(({ path }) => !generated.test(path))
    .map(({ path, text }) => ({ path, text: path.endsWith(".css") ? keepComments(text) : text }));
  return [
    ...countNames(code.filter(({ path }) => /^(?:app|server|tools)\//.test(path))),
    countRiddles([...code, ...tests], others),
    countOldWords([...code, ...tests, ...docs, ...others]),
    countFileNames([...code, ...tests, ...docs, ...others]),
    countSentences(code),
    ...countDeclaredNames(code),
  ];
}

/** Removes what is outside comments, and keeps the lines. */
function keepComments(text: string): string {
  return text
    .split(/(\/\*.*?\*\/)/s)
    .map((part, index) => (index % 2 === 1 ? part : part.replace(/[^\n]/g, "")))
    .join("");
}

function listTrackedFiles(folders: string[], ending: RegExp): File[] {
  const args = ["ls-files", "--cached", "--others", "--exclude-standard", ...folders];
  const paths = execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim().split("\n");
  return paths
    .filter((path) => ending.test(path) && path !== "tools/words/words.ts")
    .flatMap((path) => {
      try {
        return { path, text: readFileSync(join(root, path), "utf8") };
      } catch {
        // The file was deleted but is still in the index.
        return [];
      }
    });
}

function isTest(path: string): boolean {
  return path.startsWith("tests/") || /\.(?:test|spec|drill|setup)\.tsx?$/.test(path);
}

/** Counts the functions and components at the top level of files. */
function countNames(files: File[]): Figure[] {
  const named = Map.groupBy(
    files
      .flatMap(({ path, text }) => findNames(path, text).map((name) => ({ path, name })))
      .filter(({ name }) => !framework.has(name)),
    ({ name }) => name,
  );
  const firstWords = Map.groupBy(
    [...named].filter(([name]) => /^[a-z]/.test(name)),
    ([name]) => /^[a-z\d]+/.exec(name)![0],
  );
  const once = [...firstWords.values()].filter((names) => names.length === 1).flat();
  const several = [...named].filter(([, places]) => places.length > 1);
  return [
    {
      limit: "firstWords",
      title: "different first words of function names",
      count: firstWords.size,
      places: [],
    },
    {
      limit: "firstWordsUsedOnce",
      title: "first words used by only one function name",
      count: once.length,
      places: once.flatMap(([, places]) => places.map(({ path, name }) => ({ path, what: name }))),
    },
    {
      limit: "namesWithSeveralMeanings",
      title: "names defined in more than one file",
      count: several.length,
      places: several.flatMap(([name, places]) => places.map(({ path }) => ({ path, what: name }))),
    },
  ];
}

function countRiddles(files: File[], others: File[]): Figure {
  const comments = [
    ...files.flatMap(({ path, text }) => findComments(path, text).map((what) => ({ path, what }))),
    ...others.flatMap(({ path, text }) => findPlainComments(text).map((what) => ({ path, what }))),
  ];
  const places = comments.filter(({ what }) => riddle.test(what));
  return {
    limit: "riddleCommentsInPercent",
    title: "comments that open without subject and verb, in %",
    count: Math.round((1000 * places.length) / comments.length) / 10,
    places,
  };
}

function countOldWords(files: File[]): Figure {
  const places = files.flatMap(({ path, text }) =>
    text.split("\n").flatMap((line, index) =>
      [...line.matchAll(oldFashioned)].map(([word]) => ({
        path: `${path}:${index + 1}`,
        what: word,
      })),
    ),
  );
  return {
    limit: "oldFashionedWords",
    title: "old-fashioned words",
    count: places.length,
    places,
  };
}

function countFileNames(files: File[]): Figure {
  const places = files.flatMap(({ path }) => {
    const name = /^\.?[^.]*/.exec(basename(path))![0];
    return bareParticiple.test(name) || name.search(oldFashioned) >= 0 ? { path, what: name } : [];
  });
  return {
    limit: "fileNames",
    title: "file names that are old-fashioned or lack a noun",
    count: places.length,
    places,
  };
}

function countSentences(files: File[]): Figure {
  const places = files.flatMap(({ path, text }) =>
    findSentenceComparisons(path, text).map((what) => ({ path, what })),
  );
  return {
    limit: "errorsKnownByASentence",
    title: "errors compared by their text",
    count: places.length,
    places,
  };
}

/** Counts the variables, parameters and fields. */
function countDeclaredNames(files: File[]): Figure[] {
  const names = files.flatMap(({ path, text }) =>
    findDeclaredNames(path, text).map((what) => ({ path, what })),
  );
  const limitNames = names.filter(({ what }) => oldLimit.test(what));
  const vagueNames = names.filter(({ what }) => vague.test(what));
  return [
    {
      limit: "vagueNames",
      title: "vague participles as names",
      count: vagueNames.length,
      places: vagueNames,
    },
    {
      limit: "limitsNotNamedMaxOrMin",
      title: "limits whose names don't start with max or min",
      count: limitNames.length,
      places: limitNames,
    },
  ];
}
