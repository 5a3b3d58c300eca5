import { setTimeout as sleep } from "node:timers/promises";
import { constantFrom, integer, noBias, record, sample } from "fast-check";
import { expect, test } from "vitest";
import { second } from "../../app/platform/clock.ts";
import { testDatabase } from "../support/product/database.ts";
import { complaints, repeatedMails } from "./complaints.ts";
import { crash } from "./crash.ts";
import { report, say, seed } from "./figures.ts";
import { flows } from "./flows.ts";
import { underLoad } from "./load.ts";
import { world as startWorld } from "./world.ts";

const numRuns = Number(process.env.DRILL_RUNS ?? 100);
const chosen = record({
  pause: noBias(integer({ min: 100, max: 1_600 })),
  victim: constantFrom("web" as const, "web" as const, "worker" as const),
});
const moments = sample(chosen, { seed, numRuns });

const world = await startWorld(await testDatabase());
const statements: string[] = [];
let kills = 0;

test.each(flows)("$name, killed before and after each of its statements", async (flow) => {
  const wrong: string[] = [];
  let number = 0;
  for (let isOver = false; !isOver;) {
    number += 1;
    for (const fate of ["lost", "done, and not told"] as const) {
      const found = await crash(world, flow, (_, one) => one === number, fate);
      if (found === null) isOver = true;
      else {
        wrong.push(...found);
        kills += 1;
      }
    }
  }
  // The last one was not there any more.
  statements.push(`${flow.name} ${number - 1}`);
  report(flow.name, wrong);
  expect(wrong).toEqual([]);
  expect(number).toBeGreaterThan(2);
});

test("killed at random moments, while everything is done at once", async () => {
  const load = underLoad(world, flows);
  const wrong: string[] = [];
  for (const { pause, victim } of moments) {
    await sleep(pause);
    const left = await world[victim].kill();
    if (left.length > 0) wrong.push(`${left.length} processes outlive the one that began them.`);
    await world[victim].start();
    kills += 1;
  }
  const { done, wrong: found } = await load.end();
  statements.push(`under load ${done} times something`);
  expect([...wrong, ...found]).toEqual([]);
});

test("in the end nothing is lost, nothing is there twice, and nothing is left over", async () => {
  expect(await complaints(world)).toEqual([]);
  const slowest = Math.max(world.web.slowestStart(), world.worker.slowestStart()) / second;
  say("crashes", [
    `${kills} kills`,
    `statements: ${statements.join(", ")}`,
    `${repeatedMails(world)} mails taken twice under the same id`,
    `slowest start ${slowest.toFixed(1)} s`,
    `seed ${seed}`,
  ]);
});
