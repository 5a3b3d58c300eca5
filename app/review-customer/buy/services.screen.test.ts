import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import type { Actor } from "../../accounts/actor.server.ts";
import { banUser, changeUserRole, unbanUser } from "../../accounts/bans-and-roles.server.ts";
import { users } from "../../accounts/tables.server.ts";
import { day, now } from "../../platform/clock.ts";
import { saveIntroduction } from "../../reviews/reviewer-profile/introductions.server.ts";
import { people, person } from "../../../tests/support/rows/people.ts";
import { runningApp } from "../../../tests/support/product/running.ts";

let gita!: Actor;
let reader!: Actor;
const { db, origin, product } = await runningApp(async (database) => {
  ({ gita } = await people(database));
  reader = await person(database, "Xenia Roy", { roles: ["reviewer"] });
});

const introduction = { firstName: "Xenia", field: "design of <maps>", about: "Wayfinding." };

async function readServices(): Promise<string> {
  return (await fetch(`${origin}/services`)).text();
}

/** Waits until the cached page names the reviewer, or no longer does. */
function expectShown(isShown: boolean) {
  return expect
    .poll(async () => (await readServices()).includes("Who reads your work"))
    .toBe(isShown);
}

test("a reviewer is on the services page only while they agree and review, despite its cache", async () => {
  const { config } = product.services.app;
  await expectShown(false);
  await saveIntroduction(db, reader, introduction);
  await expectShown(false);

  await saveIntroduction(db, reader, { ...introduction, isPublic: true });
  await expectShown(true);
  const page = await readServices();
  expect(page).toContain("design of &lt;maps&gt;");
  expect(page).not.toContain(reader.email);

  await saveIntroduction(db, reader, { ...introduction, isPublic: false });
  await expectShown(false);
  await saveIntroduction(db, reader, { ...introduction, isPublic: true });
  await expectShown(true);

  const until = new Date(now().getTime() + day);
  await banUser(db, gita, { userId: reader.id, until, reason: "Sends spam." }, config);
  await expectShown(false);
  await unbanUser(db, gita, reader.id, config);
  await expectShown(true);

  const role = { userId: reader.id, role: "reviewer" } as const;
  await changeUserRole(db, gita, { ...role, change: "revoke" });
  await expectShown(false);
  await changeUserRole(db, gita, { ...role, change: "grant" });
  await expectShown(true);

  await db.delete(users).where(eq(users.id, reader.id));
  await expectShown(false);
});
