import { useCallback } from "react";
import { Form } from "react-router";
import { z } from "zod";
import { getSignedInActor } from "../../accounts/actor.server.ts";
import { appContext } from "../../platform/app-context.server.ts";
import { formatShortDateTime, now } from "../../platform/clock.ts";
import {
  createFormActions,
  createFormIntent,
  type Posted,
  showReasonAboveForm,
  buildSuccess,
} from "../../platform/forms.server.ts";
import { line, lines } from "../../platform/text/text-fields.server.ts";
import { buildDueView } from "../../reviews/due-dates/due-dates.ts";
import { LeaveGuard } from "../../ui/feedback/leave-guard.tsx";
import { SubmitButton } from "../../ui/form/button.tsx";
import { FormAlert, useFocusFirstError } from "../../ui/form/field.tsx";
import { BackLink } from "../../ui/layout/back-link.tsx";
import { Badge } from "../../ui/layout/card.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { buildPrivateMeta } from "../../ui/meta.ts";
import { revalidateAfterRefusal } from "../../ui/refused-forms.ts";
import { buildLengthSchema } from "../send-message.server.tsx";
import { kindLabels, linkedKinds, listLabels, messageKinds, stateTones } from "../rules.ts";
import type { Route } from "./+types/message.screen.ts";
import { MessageAnswerForm, type Refused } from "./answer-form.tsx";
import { MessageDetails, WrittenMessage } from "./message-parts.tsx";
import { addMessageLink, listMessageLinks, removeMessageLink } from "./message-links.server.ts";
import { changeMessageKind, changeMessageState, claimMessage } from "./message-states.server.ts";
import { answerMessage, saveMessageNote } from "./messages.server.tsx";
import { getMessage } from "./read-message.server.ts";
import { deleteTemplate, listTemplates, saveTemplate } from "./templates.server.ts";
import * as styles from "./letter.module.css";
import * as listsStyles from "../../ui/list/lists.module.css";

export const meta: Route.MetaFunction = ({ matches }) => buildPrivateMeta(matches, "Message");

export async function loader({ params, context }: Route.LoaderArgs) {
  const { db } = context.get(appContext);
  const actor = getSignedInActor(context);
  const view = await getMessage(db, actor, params.ticket);
  const [links, templates] = await Promise.all([
    listMessageLinks(db, view),
    listTemplates(db, actor),
  ]);
  const { createdAt, acknowledgedAt, nextDueAt, answers, searchText: _, ...message } = view;
  return {
    ...message,
    links,
    templates,
    isMine: message.ownerId === actor.id,
    sent: formatShortDateTime(createdAt),
    read: acknowledgedAt && formatShortDateTime(acknowledgedAt),
    due: nextDueAt && buildDueView(nextDueAt, now()),
    answers: answers.map(({ at, ...answer }) => ({ ...answer, when: formatShortDateTime(at) })),
  };
}

const getTicket = ({ params }: Pick<Posted, "params">) => params.ticket ?? "";
const getDesk = ({ context }: Pick<Posted, "context">) =>
  [context.get(appContext).db, getSignedInActor(context)] as const;

const buildStateIntent = (state: "open" | "closed", done: string, failed: string) =>
  createFormIntent({
    schema: z.object({}),
    run: (posted) => changeMessageState(...getDesk(posted), { ticket: getTicket(posted), state }),
    done: () => buildSuccess(done),
    failed: showReasonAboveForm(failed),
  });

const buildAnswerIntent = (closes: boolean) =>
  createFormIntent({
    schema: z.object({
      answer: lines.pipe(buildLengthSchema("Reply", 2, 5000)),
      seen: z.coerce.number().catch(-1),
    }),
    run(posted) {
      const reply = { ticket: getTicket(posted), ...posted.value, closes };
      return answerMessage(...getDesk(posted), reply, posted.context.get(appContext).config);
    },
    done: () => buildSuccess("Sending your reply"),
    failed: showReasonAboveForm("Failed to send the reply"),
  });

const deletingTemplate = "delete-template:";

export const action = createFormActions({
  answer: buildAnswerIntent(false),
  "answer-close": buildAnswerIntent(true),
  note: createFormIntent({
    schema: z.object({ note: lines.pipe(buildLengthSchema("Note", 0, 2000)), seen: lines }),
    run: (posted) =>
      saveMessageNote(...getDesk(posted), { ticket: getTicket(posted), ...posted.value }),
    done: () => buildSuccess("Note saved"),
    failed: showReasonAboveForm("Failed to save the note"),
  }),
  close: buildStateIntent("closed", "Message closed", "Failed to close the message"),
  reopen: buildStateIntent("open", "Message reopened", "Failed to reopen the message"),
  "take-over": createFormIntent({
    schema: z.object({ seenOwner: z.string().default("") }),
    run: (posted) =>
      claimMessage(...getDesk(posted), { ticket: getTicket(posted), ...posted.value }),
    done: () => buildSuccess("You take care of this message"),
    failed: showReasonAboveForm("Failed to take over the message"),
  }),
  kind: createFormIntent({
    schema: z.object({ kind: z.enum(messageKinds, "Choose an option from the list") }),
    run: (posted) =>
      changeMessageKind(...getDesk(posted), { ticket: getTicket(posted), ...posted.value }),
    done: () => buildSuccess("Saved"),
    failed: showReasonAboveForm("Failed to save the kind"),
  }),
  link: createFormIntent({
    schema: z.object({ target: line.pipe(buildLengthSchema("ID or address", 1, 500)) }),
    run: (posted) =>
      addMessageLink(...getDesk(posted), { ticket: getTicket(posted), ...posted.value }),
    done: () => buildSuccess("Linked"),
    failed: showReasonAboveForm("Failed to link it"),
  }),
  unlink: createFormIntent({
    schema: z.object({ linked: z.enum(linkedKinds) }),
    run: (posted) =>
      removeMessageLink(...getDesk(posted), {
        ticket: getTicket(posted),
        kind: posted.value.linked,
      }),
    done: () => buildSuccess("Link removed"),
    failed: showReasonAboveForm("Failed to remove the link"),
  }),
  "save-template": createFormIntent({
    schema: z.object({
      title: line.pipe(buildLengthSchema("Title", 2, 80)),
      answer: lines.pipe(buildLengthSchema("Reply", 2, 5000)),
    }),
    run: (posted) =>
      saveTemplate(...getDesk(posted), { title: posted.value.title, text: posted.value.answer }),
    done: (_result, { values }) => ({
      toast: { kind: "success", title: "Reply saved for next time" },
      // The reply is not sent yet, so it stays in the field.
      data: { errors: {}, values: { ...values, intent: "answer", title: "" } },
    }),
    failed: showReasonAboveForm("Failed to save the reply for next time"),
  }),
  // The intent has the id, since a button sends only one field of its own.
  "": createFormIntent({
    schema: z.object({ intent: z.string().startsWith(deletingTemplate) }),
    run: (posted) =>
      deleteTemplate(...getDesk(posted), {
        id: posted.value.intent.slice(deletingTemplate.length),
      }),
    done: (_result, { values }) => ({
      toast: { kind: "success", title: "Saved reply deleted" },
      data: { errors: {}, values: { ...values, intent: "answer" } },
    }),
    failed: showReasonAboveForm("Failed to delete the saved reply"),
  }),
});

export const shouldRevalidate = revalidateAfterRefusal;

/** The intents of the form for a reply. */
const answerIntent = /^(answer|save-template|delete-template)/;

export default function Message({ loaderData, actionData }: Route.ComponentProps) {
  const { ticket, subject, state, isSuspected, answers, note, kind } = loaderData;
  const refused: Refused = actionData && "errors" in actionData ? actionData : null;
  const intent = refused?.values.intent ?? "";
  useFocusFirstError(refused?.errors);
  const hasUnsavedText = useCallback(() => {
    const texts = document.querySelectorAll<HTMLTextAreaElement>(`.${styles.form} textarea`);
    return [...texts].some(({ name, value }) => value !== (name === "note" ? note : ""));
  }, [note]);
  return (
    <Page
      back={<BackLink to="/admin/messages">Back to Messages</BackLink>}
      title={subject}
      actions={<StateButtons state={state} isSuspected={isSuspected} />}
      aside={
        <MessageDetails
          key={note}
          message={loaderData}
          refused={answerIntent.test(intent) ? null : refused}
        />
      }
    >
      <FormAlert>{refused?.errors[""]}</FormAlert>
      <p className={styles.facts}>
        {isSuspected ? (
          <Badge tone="danger">Spam</Badge>
        ) : (
          <Badge tone={stateTones[state]}>{listLabels[state]}</Badge>
        )}
        {kind !== "question" && <Badge tone="outline">{kindLabels[kind]}</Badge>}
        <code>{ticket}</code>
      </p>
      <WrittenMessage by={loaderData.name} when={loaderData.sent} text={loaderData.message} />
      {answers.map(({ id, authorName, when, answer, isFromWriter, mail }) => (
        <WrittenMessage
          key={id}
          by={authorName}
          when={when}
          text={answer}
          isOurs={!isFromWriter}
          mail={mail}
        />
      ))}
      <MessageAnswerForm
        key={`answers ${answers.length}`}
        email={loaderData.email}
        seen={answers.length}
        templates={loaderData.templates}
        refused={answerIntent.test(intent) ? refused : null}
      />
      <LeaveGuard
        wouldLose={hasUnsavedText}
        title="Discard your text?"
        leave="Discard"
        stay="Keep writing"
      >
        <p>You have an unsaved reply or note.</p>
      </LeaveGuard>
    </Page>
  );
}

function StateButtons({ state, isSuspected }: { state: string; isSuspected: boolean }) {
  return (
    <Form method="post" preventScrollReset className={listsStyles.rowActions}>
      {(state !== "open" || isSuspected) && (
        <SubmitButton intent="reopen" variant="secondary" pendingLabel="Opening...">
          {isSuspected ? "Not spam" : "Reopen"}
        </SubmitButton>
      )}
      {state !== "closed" && (
        <SubmitButton intent="close" variant="secondary" pendingLabel="Closing...">
          Close
        </SubmitButton>
      )}
    </Form>
  );
}
