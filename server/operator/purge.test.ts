import { randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openSession } from "../../app/accounts/session.server.ts";
import { sessions } from "../../app/accounts/tables.server.ts";
import { createDiskStore } from "../../app/files/disk-store.server.ts";
import { storedFiles } from "../../app/files/tables.server.ts";
import { day, now } from "../../app/platform/clock.ts";
import { createLog } from "../../app/platform/log.server.ts";
import { confirmAlertWithin } from "../../app/seekers/alerts/rules.ts";
import { alerts } from "../../app/seekers/alerts/tables.server.ts";
import { testConfig } from "../../tests/support/product/config.ts";
import { testDatabase } from "../../tests/support/product/database.ts";
import { answerTo } from "../../tests/support/product/operator.ts";
import { person } from "../../tests/support/rows/people.ts";
import { ownFolder } from "../../tests/support/product/own-folder.ts";

const { db } = await testDatabase();

test("a dry run counts expired data, and purge deletes only that", async () => {
  const folder = ownFolder(onTestFinished);
  const config = testConfig({ DATA_DIR: folder });
  const store = createDiskStore(join(folder, "files"));
  const asha = await person(db, "Asha Verma");
  await openSession(db, asha.id);
  await db.update(sessions).set({ expiresAt: new Date(now().getTime() - day) });
  await openSession(db, asha.id);
  await db.insert(alerts).values({
    email: "ravi@example.com",
    query: "",
    frequency: "daily",
    state: "pending",
    createdAt: new Date(now().getTime() - confirmAlertWithin - 1),
    sentUntil: now(),
  });
  await writeFile(join(folder, "upload"), "expired");
  for (const [path, age] of [
    ["old/1.pdf", 3 * day],
    ["new/1.pdf", 0],
  ] as const) {
    await store.put("resumes", path, join(folder, "upload"));
    const facts = { originalName: "resume.pdf", mimeType: "application/pdf", size: 9 };
    const createdAt = new Date(now().getTime() - age);
    await db
      .insert(storedFiles)
      .values({ id: randomUUID(), bucket: "resumes", path, createdAt, ...facts });
  }
  const parts = { store, app: { db, config, log: createLog("silent") } };

  const counted = await answerTo(db, ["purge", "--dry-run"], parts);
  expect(counted.data).toMatchObject({ sessions: 1, "job alerts": 1, mails: 0, "unused files": 1 });
  expect(await db.$count(sessions)).toBe(2);
  expect(await db.$count(storedFiles)).toBe(2);
  expect(await db.$count(alerts)).toBe(1);

  const deleted = await answerTo(db, ["purge"], parts);
  expect(deleted.data).toMatchObject({ sessions: 1, "job alerts": 1, mails: 0, "unused files": 1 });
  expect(deleted.text).toMatch(/^sessions +1$/m);
  expect(await db.$count(sessions)).toBe(1);
  expect(await store.stat("resumes", "old/1.pdf")).toBe(null);
  expect(await store.stat("resumes", "new/1.pdf")).not.toBe(null);
});
