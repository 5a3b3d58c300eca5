import type { Asked, Fate } from "../support/servers/database-proxy.ts";
import type { Flow } from "./flow.ts";
import { isOfFlow } from "./flows.ts";
import type { World } from "./world.ts";

/**
 * Kills a process of the product at one statement of a flow, starts it again, and lets things take their course.
 *
 * @param at says of each statement of the flow, and of its number from 1 on, whether it is the one
 * @param fate whether the statement never reached the database, or its answer never the process
 * @returns what is wrong then, in sentences; null when the flow has no such statement, and is done.
 * @throws {Error} when it is not done, although nothing was killed.
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
  const told = await Promise.race([
    attempt.act().catch(() => false),
    killing.death.then(() => false),
  ]);
  const isKilled = await killing.settle();
  const wrong = isKilled && flow.by === "worker" ? await unkindPages(world) : [];
  if (isKilled) await victim.start();
  else if (!told) throw new Error(`${flow.name} is not done, although nothing went wrong.`);
  // A confirmed action must not have to be repeated.
  if (told) wrong.push(...(await attempt.wrong()));
  if (isKilled) {
    await attempt.again();
    wrong.push(...(await attempt.wrong()));
  }
  const when = `${flow.name}, statement ${number}, ${fate}`;
  if (!isKilled && wrong.length === 0) return null;
  return wrong.map((sentence) => `${when}: ${sentence}`);
}

/** The one that answers does so while the one that works is away. */
async function unkindPages({ visitor, admin }: World): Promise<string[]> {
  const wrong: string[] = [];
  for (const [who, path] of [
    [visitor, "/"],
    [visitor, "/jobs"],
    [admin.browser, "/admin"],
  ] as const) {
    const { status } = await who.get(path);
    if (status !== 200) wrong.push(`Meanwhile ${path} answers ${status}.`);
  }
  return wrong;
}
