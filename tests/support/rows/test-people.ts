import { testDatabase } from "../product/database.ts";
import { people } from "./people.ts";

/** Creates a database with `people`, who stay for all tests of the file. */
export async function testPeople() {
  const { db } = await testDatabase();
  return { db, ...(await people(db)) };
}
