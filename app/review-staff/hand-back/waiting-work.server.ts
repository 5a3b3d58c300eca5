import type { WaitingWork } from "../../accounts/waiting-work.ts";
import { countReviewsHandedBack } from "./drafts.server.ts";

export const handedBackReviews: WaitingWork = {
  name: "handed-back",
  one: "handed back review waits for another reviewer",
  several: "handed back reviews wait for another reviewer",
  action: "See why",
  to: "/admin/reviews/handed-back",
  count: countReviewsHandedBack,
};
