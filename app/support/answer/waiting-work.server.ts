import { and, isNotNull, isNull, lt, not, or } from "drizzle-orm";
import { authorize } from "../../accounts/permissions.server.ts";
import type { WaitingWork } from "../../accounts/waiting-work.ts";
import { hour, now } from "../../platform/clock.ts";
import { countUpTo } from "../../platform/lists/list.server.ts";
import { acknowledgeWithin } from "../rules.ts";
import { supportMessages } from "../tables.server.ts";

export const messagesToAnswer: WaitingWork = {
  name: "messages",
  one: "message is unread or late",
  several: "messages are unread or late",
  action: "Read and answer",
  to: "/admin/messages",
  async count(db, actor) {
    authorize(actor, "message.answer");
    const { acknowledgedAt, isSuspected, nextDueAt } = supportMessages;
    const moment = now();
    const isUrgent = or(isNull(acknowledgedAt), lt(nextDueAt, moment));
    // An unread message is due within this time, so that the index of due times bounds the count.
    const horizon = new Date(moment.getTime() + acknowledgeWithin + hour);
    const where = and(not(isSuspected), isNotNull(nextDueAt), lt(nextDueAt, horizon), isUrgent);
    return countUpTo(db, supportMessages, where);
  },
};
