import { expect, test } from "vitest";
import { complaints } from "../drills/complaints.ts";
import { crash } from "../drills/crash.ts";
import { flowOf, isCommit } from "../drills/flows.ts";
import { world as startWorld } from "../drills/world.ts";
import { testDatabase } from "../support/product/database.ts";
import { slowCases } from "../support/inventory/selection.ts";

const world = await startWorld(await testDatabase());

// Four of the crashes of `npm run drill -- crashes`.
test.each([
  ["submit", "lost"],
  ["notice", "committed, but not answered"],
  ["refund request", "lost"],
  // Covered by "notice takes effect once after a kill at COMMIT (committed, but not answered)".
  ...slowCases([["refund", "committed, but not answered"] as const]),
] as const)("%s takes effect once after a kill at COMMIT (%s)", async (name, fate) => {
  expect(await crash(world, flowOf(name), isCommit, fate)).toEqual([]);
});

test("no data is lost, duplicated or left over after the crashes", async () => {
  expect(await complaints(world)).toEqual([]);
});
