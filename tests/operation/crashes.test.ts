import { expect, test } from "vitest";
import { complaints } from "../drills/complaints.ts";
import { crash } from "../drills/crash.ts";
import { flowOf, isCommit } from "../drills/flows.ts";
import { world as startWorld } from "../drills/world.ts";
import { testDatabase } from "../support/product/database.ts";

const world = await startWorld(await testDatabase());

// Four of the moments at which `npm run drill -- crashes` kills the product.
test.each([
  ["submit", "lost"],
  ["notice", "done, and not told"],
  ["refund request", "lost"],
  ["refund", "done, and not told"],
] as const)("%s, killed at its COMMIT, which is %s, is done once", async (name, fate) => {
  expect(await crash(world, flowOf(name), isCommit, fate)).toEqual([]);
});

test("afterwards nothing is lost, nothing is there twice, and nothing is left over", async () => {
  expect(await complaints(world)).toEqual([]);
});
