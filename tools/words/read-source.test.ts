import { expect, test } from "vitest";
import {
  findComments,
  findDeclaredNames,
  findNames,
  findPlainComments,
  findSentenceComparisons,
} from "./read-source.ts";

test("only top-level functions count as names", () => {
  const text = `
    export function listJobs() { function inner() {} }
    const findJob = async (id: string) => id;
    export default function Board() { return null; }
    const limit = 3;
    export type Job = { id: string };`;
  expect(findNames("a.ts", text)).toEqual(["listJobs", "findJob", "Board"]);
});

test("a comment is represented by its first line", () => {
  const text = `
/** Lists jobs. */
/**
 * Finds one.
 *
 * @returns null for none
 */
// Two lines
// That belong together.
const a = 1; // behind code
`;
  expect(findComments("a.ts", text)).toEqual(["Lists jobs. ", "Finds one.", "Two lines"]);
});

test("comments of SQL, CSS, configurations and Python are found", () => {
  const text = `
-- Lists jobs,
-- all of them.
SELECT 1; --> statement-breakpoint
#id { color: red; } /* Behind code. */
/*
 * Above code.
 */
  # In a shell.
def main():
    """Starts it."""`;
  const firstLines = ["Lists jobs,", "Behind code.", "Above code.", "In a shell.", "Starts it."];
  expect(findPlainComments(text)).toEqual(firstLines);
});

test("comparisons of a message with a text are found", () => {
  const found = (text: string) => findSentenceComparisons("a.tsx", text);
  expect(found(`if (error.message === messages.changed) {}`)).toHaveLength(1);
  expect(found(`const same = message !== expected;`)).toHaveLength(1);
  expect(found(`const gone = reason === "Review not found";`)).toHaveLength(1);
  expect(found(`const none = message === null || message === "" || code === "changed";`)).toEqual(
    [],
  );
});

test("variables, parameters and fields count as declared names", () => {
  const text = `
    type Limits = { longest: number; check(): void };
    function cut({ text, max: [least = 1, ...rest] }: Limits) { return least; }
    const { shortest } = list.map((item) => item.most);`;
  expect(findDeclaredNames("a.ts", text).toSorted()).toEqual([
    "item",
    "least",
    "longest",
    "rest",
    "shortest",
    "text",
  ]);
});
