import type { Database } from "../../../app/platform/database.server.ts";
import { makeDemo } from "../rows/demo-screens.ts";
import { listScreens, type Screen } from "./screens.ts";

/** Every screen of the product in the states of the demo data, and who sees it. */
export async function screensOf({ db }: { db: Database }): Promise<Screen[]> {
  return listScreens(await makeDemo(db));
}
