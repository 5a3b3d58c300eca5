import { join } from "node:path";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { createDiskStore } from "../../app/files/disk-store.server.ts";
import { openDatabase, taskLimits } from "../../app/platform/database.server.ts";
import { testConfig } from "../../tests/support/product/config.ts";
import { testDatabase } from "../../tests/support/product/database.ts";
import { ownFolder } from "../../tests/support/product/own-folder.ts";
import { people } from "../../tests/support/rows/people.ts";
import { demoLock, loadDemo } from "./load.server.ts";

const { db, url } = await testDatabase();
await people(db);

test("a process waits for another that loads the demo, however long that takes", async () => {
  const impatient = openDatabase(url, { max: 2, limits: { ...taskLimits, lock: 1 } });
  const store = createDiskStore(join(ownFolder(), "files"));
  const isWaiting = async () => {
    const { rows } = await db.execute(
      sql`select 1 from pg_locks where objid = ${demoLock} and not granted`,
    );
    return rows.length > 0;
  };
  const loading = await db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${demoLock})`);
    const waiting = loadDemo(impatient.db, store, testConfig());
    await expect.poll(isWaiting).toBe(true);
    // Longer than the limit.
    await tx.execute(sql`select pg_sleep(0.05)`);
    return { waiting };
  });
  expect(await loading.waiting).toBe(false);
  await impatient.close();
});
