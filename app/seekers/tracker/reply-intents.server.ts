import { z } from "zod";
import { currentActor } from "../../accounts/actor.server.ts";
import { appContext } from "../../platform/app-context.server.ts";
import { buildSuccess, createFormIntent, showReasonAsToast } from "../../platform/forms.server.ts";
import { replyForm } from "./forms.server.ts";
import { answerReplyQuestion, withdrawReplyAnswer } from "./replies.server.ts";

/** The forms of the question if a company replied, for the list and the page of a job. */
export const replyIntents = {
  reply: createFormIntent({
    schema: replyForm,
    run: ({ context, value }) =>
      answerReplyQuestion(context.get(appContext).db, context.get(currentActor), value),
    done: () => buildSuccess("Thank you. Your answer is saved."),
    failed: showReasonAsToast,
    fallback: "We couldn't save your answer. Please try again later.",
  }),
  "withdraw-reply": createFormIntent({
    schema: z.object({ id: z.string() }),
    run: ({ context, value }) =>
      withdrawReplyAnswer(context.get(appContext).db, context.get(currentActor), value),
    done: () => buildSuccess("Your answer is withdrawn"),
    failed: showReasonAsToast,
    fallback: "We couldn't withdraw your answer. Please try again later.",
  }),
};
