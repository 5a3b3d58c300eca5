import * as fs from "node:fs/promises";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import { beforeEach } from "vitest";
import { storedFiles } from "../../../app/files/tables.server.ts";
import { rateLimits } from "../../../app/platform/tables.server.ts";
import { testDatabase } from "../product/database.ts";
import { people } from "../rows/people.ts";
import { testServer } from "../product/server.ts";

import { ownFolder } from "../product/own-folder.ts";

export const megabyte = 1_048_576;
export const pdf = await fs.readFile("tests/fixtures/files/resume.pdf");
export const png = await fs.readFile("tests/fixtures/files/poster.png");

/** Returns a PDF of exactly this size in bytes. */
export function pdfOf(size: number): Buffer {
  return Buffer.concat([pdf, Buffer.alloc(size - pdf.length, " ")]);
}

/** Starts a server for uploads. @returns also its people, and functions that read the stored files */
export async function uploadServer() {
  const dataDir = ownFolder();
  const database = await testDatabase();
  const { db } = database;
  beforeEach(() => db.delete(rateLimits));
  const server = await testServer(database, { DATA_DIR: dataDir });
  const who = await people(db);
  return {
    db,
    server,
    who,
    cookies: {
      asha: await server.cookieOf(who.asha),
      ravi: await server.cookieOf(who.ravi),
      meera: await server.cookieOf(who.meera),
      sonia: await server.cookieOf(who.sonia),
    },
    /** Lists a person's unfinished uploads. */
    async partialsOf(person: { id: string }): Promise<string[]> {
      return fs.readdir(join(dataDir, "uploads", person.id)).catch(() => []);
    },
    /** Returns the path of the file with an upload's received bytes. */
    partialAt(person: { id: string }, address: string): string {
      return join(dataDir, "uploads", person.id, address.split("/").at(-1)!);
    },
    async filesOf(person: { id: string }) {
      return db.select().from(storedFiles).where(eq(storedFiles.uploadedBy, person.id));
    },
    async objectCount(): Promise<number> {
      let count = 0;
      for (const bucket of ["resumes", "portfolios", "review-images", "review-files"] as const) {
        for await (const _file of server.store.list(bucket)) count++;
      }
      return count;
    },
  };
}
