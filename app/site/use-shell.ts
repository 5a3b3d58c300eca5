import { useRouteLoaderData } from "react-router";
import type { Shell } from "./frame.tsx";

/** What the frame knows: the product's facts, who is signed in, whether this is a demo. */
export function useShell(): Shell {
  const shell = useRouteLoaderData<Shell>("root");
  if (!shell) throw new Error("The root's data is missing.");
  return shell;
}
