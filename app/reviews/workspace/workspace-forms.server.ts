import { redirect } from "react-router";
import { z } from "zod";
import { currentActor } from "../../accounts/actor.server.ts";
import { appContext } from "../../platform/app-context.server.ts";
import {
  failure,
  formActions,
  formIntent,
  type Posted,
  type Refusal,
} from "../../platform/forms.server.ts";
import { answerForm } from "../brief/answers.server.ts";
import { remarkForms } from "../remarks/remark-forms.server.ts";
import { messages } from "../staff-rules.ts";
import { removeUpload, type UploadKind } from "./review-uploads.server.ts";
import { saveDraftFeedback } from "./save-draft-feedback.server.ts";
import { submitReview } from "./submit-review.server.ts";

const written = z.object({
  feedback: z.string().default(""),
  version: z.string().default(""),
});

/** Completes the review, and comes back to see it as it was submitted. */
const submit = formIntent({
  schema: written,
  run({ context, params, value }) {
    const { db, config } = context.get(appContext);
    const sent = { reviewId: reviewIdOf(params), ...value };
    return submitReview(db, context.get(currentActor), sent, config);
  },
  done: (_, { params }) => ({
    toast: { kind: "success", title: "Review submitted successfully" },
    data: redirect(`/reviewer/submission/${params.reviewId}?submitted`),
  }),
  failed: ({ message, refusal }) => ({
    toast: failure("Failed to submit review", message),
    data: writtenFromNow(refusal),
  }),
});

/** For browsers without scripts: the others save as one types. */
const saveDraft = formIntent({
  schema: written,
  run({ context, params, value }) {
    const { db } = context.get(appContext);
    const sent = { reviewId: reviewIdOf(params), ...value };
    return saveDraftFeedback(db, context.get(currentActor), sent);
  },
  done: (_, { params }) => ({
    toast: { kind: "success", title: "Draft saved" },
    data: redirect(`/reviewer/submission/${params.reviewId}`),
  }),
  failed: ({ refusal }) => ({ data: writtenFromNow(refusal) }),
});

/** Takes a screenshot or a file away. The list is read anew, so there is nothing to return. */
const remove = formIntent({
  schema: z.object({ kind: z.enum(["image", "file"]), id: z.string() }),
  run({ context, params, value }) {
    const { db } = context.get(appContext);
    const upload = { reviewId: reviewIdOf(params), ...value };
    return removeUpload(db, context.get(currentActor), upload);
  },
  done: (_, { value }) => ({
    toast: { kind: "success", title: `${titles[value.kind]} removed successfully` },
    data: null,
  }),
  failed: ({ message }, { value }) => ({
    toast: failure(`Failed to remove ${value.kind}`, message),
    data: null,
  }),
});

const titles: Record<UploadKind, string> = { image: "Image", file: "File" };

/** The action of the workspace: which button was pressed says what is meant. */
export const workspaceForms = formActions({
  submit,
  "save-draft": saveDraft,
  remove,
  "save-remark": remarkForms.save.plain,
  "delete-remark": remarkForms.delete.plain,
  score: remarkForms.score.plain,
  answer: answerForm.plain,
  "settle-earlier": remarkForms.settleEarlier.plain,
  "delete-phrase": remarkForms.deletePhrase.plain,
});

function reviewIdOf({ reviewId = "" }: Posted["params"]): string {
  return reviewId;
}

/** Who is told that the draft was changed sees what it is now, and goes on from there. */
function writtenFromNow(refusal: Refusal): Refusal {
  const { errors, values } = refusal.data;
  if (errors[""] === messages.draftChanged) delete values.version;
  return refusal;
}
