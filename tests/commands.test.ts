import { sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { isExpected } from "../app/platform/errors.ts";
import {
  admin,
  type Asked,
  jobCommands,
  lookCommands,
  pageCommands,
  type Person,
  draftCommands,
  questionCommands,
  replyCommands,
  reviewCommands,
  submissionCommands,
  teamCommands,
  uploadCommands,
} from "./support/inventory/commands.ts";
import { otherCommands } from "./support/inventory/other-commands.ts";
import { testPeople } from "./support/rows/test-people.ts";
import { makeThings, snapshot, type Things } from "./support/rows/things.ts";

/**
 * Runs every command with a permission as each person, in each state of its subject, twice in a row and
 * concurrently. Each command's row lists the expected result. A refusal is an expected error and changes no row.
 */
const { db, ...who } = await testPeople();

beforeEach(async () => {
  // Rows of a review are deleted with it. A truncation creates dozens of files for these few rows.
  await db.execute(
    sql`delete from service_reviews; delete from jobs; delete from audit_events; delete from mails;
      delete from authenticators; delete from companies; update users set banned_until = null`,
  );
});

type Row = Pick<(typeof reviewCommands)[string], "may" | "again" | "run"> & {
  name: string;
  on: readonly string[];
  /** The ids of its subjects by their states. */
  idsOf(things: Things): Record<string, string>;
};

const rows: Row[] = [
  ...rowsOf({ ...reviewCommands, ...uploadCommands }, ({ reviews }) => reviews),
  ...rowsOf(jobCommands, ({ jobs }) => jobs),
  ...rowsOf(submissionCommands, ({ submissions }) => submissions),
  ...rowsOf(draftCommands, ({ drafts }) => drafts),
  ...rowsOf(questionCommands, ({ askedReviews }) => askedReviews),
  ...rowsOf(lookCommands, ({ looks }) => looks),
  ...rowsOf(replyCommands, ({ applications }) => applications),
  ...rowsOf(pageCommands, ({ pages }) => pages),
  ...rowsOf(teamCommands, ({ team }) => team),
];

test.each(rows)("only the people in its row can run $name", async (row) => {
  const things = await makeThings(db, who);
  const id = idFor(row, things);
  const before = await snapshot(db);
  for (const person of persons().filter((one) => !row.may.includes(one))) {
    expect(refusals(row, person), person).toContain(await ask(row, person, things, id));
  }
  expect(await snapshot(db), "a person without permission changed something").toBe(before);
  for (const [index, person] of row.may.entries()) {
    // The first person finds everything unchanged.
    const fresh = index === 0 ? things : await makeThings(db, who);
    const answer = await ask(row, person, fresh, idFor(row, fresh));
    expect(answer, person).toBe("done");
  }
});

test.each(rows)("$name only works in the states in its row", async (row) => {
  const things = await makeThings(db, who);
  const isFor = (state: string) => row.on.includes(state);
  const inState = (state: string) => ask(row, row.may[0]!, things, row.idsOf(things)[state]!);
  const states = Object.keys(row.idsOf(things));
  const before = await snapshot(db);
  for (const state of states.filter((one) => !isFor(one))) {
    expect(await inState(state), state).not.toBe("done");
  }
  expect(await snapshot(db), "something changed in another state").toBe(before);
  for (const state of states.filter(isFor)) expect(await inState(state), state).toBe("done");
});

test.each(rows)("running $name again is $again, in turn and concurrently", async (row) => {
  const [person, most] = [row.may[0]!, 4];
  const first = await makeThings(db, who);
  const id = idFor(row, first);
  const recordedOnce = await recordedBy(() => ask(row, person, first, id));
  const before = await snapshot(db);
  const answer = await ask(row, person, first, id);
  expect(answer === "done").toBe(row.again !== "refused");
  if (row.again !== "done again") expect(await snapshot(db)).toBe(before);

  const things = await makeThings(db, who);
  const crowded = idFor(row, things);
  let answers: string[] = [];
  const recorded = await recordedBy(async () => {
    answers = await Promise.all(
      Array.from({ length: most }, () => ask(row, person, things, crowded)),
    );
  });
  const done = answers.filter((one) => one === "done").length;
  expect(done).toBe(row.again === "refused" ? 1 : most);
  expect(recorded).toBe(row.again === "done again" ? most * recordedOnce : recordedOnce);
});

test.each(Object.entries(otherCommands))(
  "only the people in its row can run %s",
  async (_name, command) => {
    const things = await makeThings(db, who);
    const before = await snapshot(db);
    for (const person of persons().filter((one) => !command.may.includes(one))) {
      const refusal = person === "nobody" ? "SignedOut" : "Denied";
      expect(await settle(command.run(commandContext(person, things))), person).toBe(refusal);
    }
    expect(await snapshot(db), "a person without permission changed something").toBe(before);
    for (const person of command.may) {
      expect(await settle(command.run(commandContext(person, things))), person).toBe("done");
    }
  },
);

function rowsOf(commands: Record<string, Omit<Row, "name" | "idsOf">>, idsOf: Row["idsOf"]): Row[] {
  return Object.entries(commands).map(([name, command]) => ({ name, idsOf, ...command }));
}

/** Returns the id of a subject that the command works on. */
function idFor({ idsOf, on }: Row, things: Things): string {
  return idsOf(things)[on[0]!]!;
}

function persons(): Person[] {
  return ["nobody", ...(Object.keys(who) as Person[])];
}

function commandContext(person: Person, things: Things): Asked {
  return { db, actor: person === "nobody" ? null : who[person], who, things };
}

function ask(row: Row, person: Person, things: Things, id: string) {
  return settle((async () => row.run(commandContext(person, things), id))());
}

/** Lists the errors a person may get. Other people's things may be missing or already closed. */
function refusals({ name, may }: Row, person: Person): string[] {
  const isKnownById = name in uploadCommands;
  if (person === "nobody" && !isKnownById) return ["SignedOut"];
  return may === admin ? ["Denied"] : ["Denied", "NotFound", "Conflict"];
}

/**
 * @returns "done" or the name of the expected error
 * @throws {Error} on any other error
 */
async function settle(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return "done";
  } catch (error) {
    if (!isExpected(error)) throw error;
    return (error as Error).name;
  }
}

async function recordedBy(work: () => Promise<unknown>): Promise<number> {
  const count = async () => {
    const { rows: counted } = await db.execute<{ lines: number }>(
      sql`select count(*)::int as lines from audit_events`,
    );
    return counted[0]!.lines;
  };
  const before = await count();
  await work();
  return (await count()) - before;
}
