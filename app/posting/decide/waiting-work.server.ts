import type { WaitingWork } from "../../accounts/waiting-work.ts";
import { countWaiting } from "./list-waiting.server.ts";

export const listingsToPublish: WaitingWork = {
  name: "listings",
  one: "listing waits to be published",
  several: "listings wait to be published",
  action: "Read the listings",
  to: "/admin/jobs/waiting",
  count: countWaiting,
};
