import { setTimeout as sleep } from "node:timers/promises";
import { constantFrom, integer, noBias, record, sample } from "fast-check";
import { expect, test } from "vitest";
import { second } from "../../app/platform/clock.ts";
import { testDatabase } from "../support/product/database.ts";
import { complaints, countRepeatedMails } from "./complaints.ts";
import { crash } from "./crash.ts";
import { report, say, seed } from "./figures.ts";
import { flows } from "./flows.ts";
import { underLoad } from "./load.ts";
import { world as startWorld } from "./world.ts";

const numRuns = Number(process.env.DRILL_RUNS ?? 100);
const randomKill = record({
  pause: noBias(integer({ min: 100, max: 1_600 })),
  victim: constantFrom("web" as const, "web" as const, "worker" as const),
});
const moments = sample(randomKill, { seed, numRuns });

const world = await startWorld(await testDatabase());
const statements: string[] = [];
let kills = 0;

test.each(flows)("$name survives a kill before and after each statement", async (flow) => {
  const wrong: string[] = [];
  let number = 0;
  for (let isOver = false; !isOver;) {
    number += 1;
    for (const fate of ["lost", "committed, but not answered"] as const) {
      const found = await crash(world, flow, (_, one) => one === number, fate);
      if (found === null) isOver = true;
      else {
        wrong.push(...found);
        kills += 1;
      }
    }
  }
  // The last number had no statement.
  statements.push(`${flow.name} ${number - 1}`);
  report(flow.name, wrong);
  expect(wrong).toEqual([]);
  expect(number).toBeGreaterThan(2);
});

test("all flows at the same time survive kills at random moments", async () => {
  const load = underLoad(world, flows);
  const wrong: string[] = [];
  for (const { pause, victim } of moments) {
    await sleep(pause);
    const survivors = await world[victim].kill();
    if (survivors.length > 0)
      wrong.push(`${survivors.length} child processes outlive their parent.`);
    await world[victim].start();
    kills += 1;
  }
  const { done, wrong: found } = await load.end();
  statements.push(`under load ${done} actions`);
  expect([...wrong, ...found]).toEqual([]);
});

test("finally, nothing is lost, duplicated or left over", async () => {
  expect(await complaints(world)).toEqual([]);
  const slowest = Math.max(world.web.slowestStart(), world.worker.slowestStart()) / second;
  say("crashes", [
    `${kills} kills`,
    `statements: ${statements.join(", ")}`,
    `${countRepeatedMails(world)} emails sent twice under the same id`,
    `slowest start ${slowest.toFixed(1)} s`,
    `seed ${seed}`,
  ]);
});
