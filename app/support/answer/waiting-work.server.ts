import { and, isNotNull, isNull, lt, not, or } from "drizzle-orm";
import { authorize } from "../../accounts/permissions.server.ts";
import type { WaitingWork } from "../../accounts/waiting-work.ts";
import { now } from "../../platform/clock.ts";
import { countUpTo } from "../../platform/list.server.ts";
import { contactMessages } from "../tables.server.ts";

export const messagesToAnswer: WaitingWork = {
  name: "messages",
  one: "message is unread or late",
  several: "messages are unread or late",
  action: "Read and answer",
  to: "/admin/messages",
  async count(db, actor) {
    authorize(actor, "message.answer");
    const { acknowledgedAt, isSuspected, nextDueAt } = contactMessages;
    const isUrgent = or(isNull(acknowledgedAt), lt(nextDueAt, now()));
    return countUpTo(db, contactMessages, and(not(isSuspected), isNotNull(nextDueAt), isUrgent));
  },
};
