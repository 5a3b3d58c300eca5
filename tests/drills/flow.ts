import type { World } from "./world.ts";

/** Something that somebody does once, and that may be cut off anywhere. */
export type Attempt = {
  /** Does it. @returns whether they were told that it is done. */
  act(): Promise<boolean>;
  /** What happens by itself or what anybody would do after it was cut off. */
  again(): Promise<void>;
  /** What is not as it has to be once it was done, in sentences. */
  wrong(): Promise<string[]>;
};

export type Flow = {
  name: string;
  /** Which process does it. */
  by: "web" | "worker";
  /** Makes what has to be there before, for people of its own. */
  prepare(world: World): Promise<Attempt>;
};
