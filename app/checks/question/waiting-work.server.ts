import type { WaitingWork } from "../../accounts/waiting-work.ts";
import { countMentions } from "./decide-mentions.server.ts";

export const textsToDecide: WaitingWork = {
  name: "names",
  one: "text names a removed contact",
  several: "texts name a removed contact",
  action: "Check the texts",
  to: "/admin/jobs/names",
  count: countMentions,
};
