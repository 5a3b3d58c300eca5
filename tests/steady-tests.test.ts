import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/**
 * The code that usually makes a test fail by chance, by the clock or on a busy computer, what to use instead, and the
 * files that need it, each with its reason.
 */
const unsteady: { found: RegExp; instead: string; allowed?: Record<string, string> }[] = [
  {
    found: /Math\.random\(/,
    instead: "a fixed order or seed, and randomUUID for names",
    allowed: { "tests/money.test.ts": "`npm run drill -- money` lives other histories each time" },
  },
  {
    found: /performance\.now|process\.(?:cpuUsage|threadCpuUsage|hrtime|memoryUsage)/,
    instead: "the order or the effect, a count of the work, or a measurement in bench/",
    allowed: {
      "tests/attack/malformed.test.ts": "`npm run attack` prints the times",
      "tests/attack/slow.test.ts": "`npm run attack` prints the times",
    },
  },
  {
    found: /\b(?:setTimeout|setInterval|sleep)\(/,
    instead: "a condition to wait for, or fake timers",
    allowed: {
      "app/accounts/accounts.test.ts": "compares the order of two timers",
      "app/annotations/annotated-pdf/annotated-pdfs.test.ts": "a child process that hangs",
      "app/annotations/machine-reading/check-process.test.ts": "a child process that hangs",
      "app/files/inspect/document-process.test.ts": "child processes that hang or are slow",
      "app/files/long-lived-process.test.ts": "child processes that hang or are slow",
      "app/files/render/render-process.test.ts": "a child process that hangs",
      "server/bundle/fresh-build.test.ts": "a child process that stays",
      "server/http/http-server.test.ts": "a client that sends slowly until it is cut off",
      "tests/attack/slow.test.ts": "clients that send until they are cut off",
    },
  },
  {
    found: /\},\s+\d[\d_]*_000,?\s*\);/,
    instead: "no limit of its own, since the runner ends what hangs",
    allowed: { "tests/attack/malformed.test.ts": "`npm run attack` takes an hour" },
  },
  {
    found: /vi\.wait(?:For|Until)\(/,
    instead: "expect.poll, which waits longer than a busy computer takes",
    allowed: {
      "tests/signed-in-pages.test.ts": "waits before the tests, where expect.poll refuses",
    },
  },
  {
    found: /Date\.now\(\)|new Date\(\)/,
    instead: "now() of app/platform/clock.ts, with stopClock where time must not pass",
  },
  {
    found: /"0{6}"/,
    instead:
      "wrongCode() of an app in tests/support/rows/factors.ts, since any six digits can be right",
  },
  {
    found: /`\w\$\{\w+\.slice\(1\)\}|\.slice\(0, -1\)\}\w`/,
    instead:
      "changeCharacter of tests/support/requests/tampered.ts, which never gives the original",
  },
];

/** Without a stopped clock, the window of a limit can end while a test counts. */
const limits = /\bTooMany\b|toBe\(429\)|status: 429/;
const stopped = /\bstopClock\b|useFakeTimers/;
const otherLimits: Record<string, string> = {
  "app/files/long-lived-process.test.ts": "jobs that wait at the same time",
  "app/files/receive/shared-uploads.test.ts": "uploads at the same time",
  "server/http/retry-after.test.ts": "counts nothing",
};

const files = globSync("{app,server,db,tests,tools}/**/*.test.{ts,tsx}")
  .map((path) => ({ path: path.replaceAll("\\", "/"), text: readFileSync(path, "utf8") }))
  .filter(({ path }) => path !== "tests/steady-tests.test.ts");

test.each(unsteady)("tests use $instead", ({ found, allowed = {} }) => {
  const paths = files.filter(({ text }) => found.test(text)).map(({ path }) => path);
  // An exception that nothing needs is listed too.
  expect(paths.toSorted()).toEqual(Object.keys(allowed).toSorted());
});

test("tests of limits stop the clock", () => {
  const counting = files.filter(({ text }) => limits.test(text) && !stopped.test(text));
  expect(counting.map(({ path }) => path).toSorted()).toEqual(Object.keys(otherLimits).toSorted());
});
