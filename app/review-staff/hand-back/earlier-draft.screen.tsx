import { data, Form } from "react-router";
import { z } from "zod";
import { currentActor, getSignedInActor } from "../../accounts/actor.server.ts";
import { appContext } from "../../platform/app-context.server.ts";
import {
  createFormActions,
  createFormIntent,
  showReasonAboveForm,
} from "../../platform/forms.server.ts";
import { redirect } from "../../platform/redirect.server.ts";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { SubmitButton } from "../../ui/form/button.tsx";
import { FormAlert, useFocusFirstError } from "../../ui/form/field.tsx";
import { BackLink } from "../../ui/layout/back-link.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { buildPrivateMeta } from "../../ui/meta.ts";
import { revalidateAfterRefusal } from "../../ui/refused-forms.ts";
import type { Route } from "./+types/earlier-draft.screen.ts";
import { listDraftParts } from "./draft-content.server.ts";
import { DraftResult } from "./draft-result.tsx";
import { findOfferedDraft } from "./drafts.server.ts";
import { formatBeginner } from "./offered-drafts.tsx";
import { declineDraft, acceptDraft } from "./use-draft.server.ts";
import stylesheet from "./earlier-draft.screen.css?url";
import * as styles from "./hand-back.module.css";

const title = "Earlier draft";

export const meta: Route.MetaFunction = ({ matches }) => buildPrivateMeta(matches, title);

/** No cache stores a draft. */
export const headers: Route.HeadersFunction = () => ({ "Cache-Control": "private, no-store" });

export async function loader({ params, context }: Route.LoaderArgs) {
  const { db } = context.get(appContext);
  const draft = await findOfferedDraft(db, getSignedInActor(context), params.draftId);
  return data({ draft }, { status: draft ? 200 : 404 });
}

const take = createFormIntent({
  schema: z.object({}),
  run: ({ context, params: { draftId = "" } }) =>
    acceptDraft(context.get(appContext).db, context.get(currentActor), { draftId }),
  done({ reviewId, draft, added }) {
    const parts = listDraftParts(added);
    const isComplete = parts.join() === listDraftParts(draft).join();
    return {
      toast: {
        kind: "success",
        title: parts.length > 0 ? `Added ${parts.join(", ")}` : "There was nothing to add",
        description: isComplete
          ? undefined
          : "Scores, answers and outcomes of yours stay as they were.",
      },
      data: redirect(`/reviewer/submission/${reviewId}`),
    };
  },
  failed: showReasonAboveForm("The draft wasn't used"),
});

const discard = createFormIntent({
  schema: z.object({}),
  run: ({ context, params: { draftId = "" } }) =>
    declineDraft(context.get(appContext).db, context.get(currentActor), { draftId }),
  done: (reviewId) => ({
    toast: { kind: "success", title: "Earlier draft discarded" },
    data: redirect(`/reviewer/submission/${reviewId}`),
  }),
  failed: showReasonAboveForm("The draft wasn't discarded"),
});

export const action = createFormActions({ "take-draft": take, "discard-draft": discard });

export const shouldRevalidate = revalidateAfterRefusal;

export default function EarlierDraftScreen({ loaderData, actionData }: Route.ComponentProps) {
  const { draft } = loaderData;
  const refused = actionData && "errors" in actionData ? actionData : undefined;
  useFocusFirstError(refused?.errors);
  if (!draft)
    return (
      <Page title={title} back={<BackLink to="/reviewer">Back to Dashboard</BackLink>}>
        <FormAlert>{refused?.errors[""]}</FormAlert>
        <EmptyState title="This draft isn't offered any more" drawing="lost">
          It may have been used or discarded already.
        </EmptyState>
      </Page>
    );
  return (
    <Page
      title={title}
      back={<BackLink to={`/reviewer/submission/${draft.reviewId}`}>Back to the review</BackLink>}
      intro={`${formatBeginner(draft.isOwn)} began this ${draft.service}. Only you and admins can see this draft.`}
    >
      <link rel="stylesheet" href={stylesheet} precedence="default" />
      <FormAlert>{refused?.errors[""]}</FormAlert>
      <Form method="post" className={styles.offer}>
        <p>
          Using it adds to what you have. Your scores, answers and outcomes stay, and the earlier
          summary comes below yours.
        </p>
        <SubmitButton intent="take-draft" pendingLabel="Adding...">
          Use as my draft
        </SubmitButton>
        <SubmitButton intent="discard-draft" variant="ghost" pendingLabel="Discarding...">
          Discard
        </SubmitButton>
      </Form>
      <DraftResult {...draft} />
    </Page>
  );
}
