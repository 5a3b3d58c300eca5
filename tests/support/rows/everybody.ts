import { beforeEach } from "vitest";
import type { Database } from "../../../app/platform/database.server.ts";
import { type Everybody, people } from "./people.ts";

/** Creates new `people` for each test of the file. */
export function everybody(db: Database): Everybody {
  const who = {} as Everybody;
  beforeEach(async () => void Object.assign(who, await people(db)));
  return who;
}
