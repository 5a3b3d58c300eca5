import type { Asked, Fate } from "../support/servers/database-proxy.ts";
import type { Flow } from "./flow.ts";
import { isOfFlow } from "./flows.ts";
import type { World } from "./world.ts";

/**
 * Kills a process of the product at one statement of a flow, restarts it and completes the flow.
 *
 * @param at selects the statement; it gets each statement of the flow with its number, starting at 1
 * @param fate whether the statement is lost before the database, or its answer is lost
 * @returns the problems as sentences; null if the flow finished without such a statement
 * @throws {Error} if the flow fails although nothing was killed
 */
export async function crash(
  world: World,
  flow: Flow,
  at: (asked: Asked, number: number) => boolean,
  fate: Fate,
): Promise<string[] | null> {
  const attempt = await flow.prepare(world);
  const victim = world[flow.by];
  let number = 0;
  const killing = victim.killAt((asked) =>
    isOfFlow(flow, asked) && at(asked, ++number) ? fate : "pass",
  );
  const isConfirmed = await Promise.race([
    attempt.act().catch(() => false),
    killing.death.then(() => false),
  ]);
  const isKilled = await killing.settle();
  const wrong = isKilled && flow.by === "worker" ? await findBrokenPages(world) : [];
  if (isKilled) await victim.start();
  else if (!isConfirmed) throw new Error(`${flow.name} failed although nothing was killed.`);
  // After a confirmation, nothing needs to be repeated.
  if (isConfirmed) wrong.push(...(await attempt.wrong()));
  if (isKilled) {
    await attempt.again();
    wrong.push(...(await attempt.wrong()));
  }
  const when = `${flow.name}, statement ${number}, ${fate}`;
  if (!isKilled && wrong.length === 0) return null;
  return wrong.map((sentence) => `${when}: ${sentence}`);
}

/** Checks that the web process serves pages while the worker is down. */
async function findBrokenPages({ visitor, admin }: World): Promise<string[]> {
  const wrong: string[] = [];
  for (const [browser, path] of [
    [visitor, "/"],
    [visitor, "/jobs"],
    [admin.browser, "/admin"],
  ] as const) {
    const { status } = await browser.get(path);
    if (status !== 200) wrong.push(`Without the worker, ${path} answers ${status}.`);
  }
  return wrong;
}
