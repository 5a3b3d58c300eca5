import { useCallback } from "react";
import { Form, useNavigation } from "react-router";
import { z } from "zod";
import { getSignedInActor } from "../../accounts/actor.server.ts";
import type { MailState } from "../../mail/rules.ts";
import { appContext } from "../../platform/app-context.server.ts";
import { formatShortDateTime } from "../../platform/clock.ts";
import {
  createFormActions,
  createFormIntent,
  type Posted,
  showReasonAboveForm,
  buildSuccess,
} from "../../platform/forms.server.ts";
import { lines } from "../../platform/text/text-fields.server.ts";
import { LeaveGuard } from "../../ui/feedback/leave-guard.tsx";
import { SubmitButton } from "../../ui/form/button.tsx";
import { FormAlert, TextAreaField, useFocusFirstError } from "../../ui/form/field.tsx";
import { BackLink } from "../../ui/layout/back-link.tsx";
import { Badge } from "../../ui/layout/card.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { Link } from "../../ui/link.tsx";
import { buildPrivateMeta } from "../../ui/meta.ts";
import { revalidateAfterRefusal } from "../../ui/refused-forms.ts";
import { buildLengthSchema } from "../contact-messages.server.tsx";
import type { Route } from "./+types/message.screen.ts";
import {
  answerMessage,
  changeMessageState,
  saveMessageNote,
  getMessage,
} from "./messages.server.tsx";
import { listLabels, stateTones } from "../rules.ts";

export const meta: Route.MetaFunction = ({ matches }) => buildPrivateMeta(matches, "Message");

export async function loader({ params, context }: Route.LoaderArgs) {
  const { db } = context.get(appContext);
  const { ticket } = params;
  const {
    createdAt,
    answers,
    searchText: _,
    ...message
  } = await getMessage(db, getSignedInActor(context), ticket);
  return {
    ...message,
    sent: formatShortDateTime(createdAt),
    answers: answers.map(({ at, ...answer }) => ({ ...answer, when: formatShortDateTime(at) })),
  };
}

const getTicket = ({ params }: Pick<Posted, "params">) => params.ticket ?? "";

const buildStateIntent = (state: "open" | "closed", done: string, failed: string) =>
  createFormIntent({
    schema: z.object({}),
    run: (posted) =>
      changeMessageState(posted.context.get(appContext).db, getSignedInActor(posted.context), {
        ticket: getTicket(posted),
        state,
      }),
    done: () => buildSuccess(done),
    failed: showReasonAboveForm(failed),
  });

export const action = createFormActions({
  answer: createFormIntent({
    schema: z.object({
      answer: lines.pipe(buildLengthSchema("Reply", 2, 5000)),
      seen: z.coerce.number().catch(-1),
    }),
    run(posted) {
      const { db, config } = posted.context.get(appContext);
      const reply = { ticket: getTicket(posted), ...posted.value };
      return answerMessage(db, getSignedInActor(posted.context), reply, config);
    },
    done: () => buildSuccess("Sending your reply"),
    failed: showReasonAboveForm("Failed to send the reply"),
  }),
  note: createFormIntent({
    schema: z.object({ note: lines.pipe(buildLengthSchema("Note", 0, 2000)), seen: lines }),
    run: (posted) =>
      saveMessageNote(posted.context.get(appContext).db, getSignedInActor(posted.context), {
        ticket: getTicket(posted),
        ...posted.value,
      }),
    done: () => buildSuccess("Note saved"),
    failed: showReasonAboveForm("Failed to save the note"),
  }),
  close: buildStateIntent("closed", "Message closed", "Failed to close the message"),
  reopen: buildStateIntent("open", "Message reopened", "Failed to reopen the message"),
});

export const shouldRevalidate = revalidateAfterRefusal;

export default function Message({ loaderData, actionData }: Route.ComponentProps) {
  const { ticket, subject, state, isSuspected, answers, note } = loaderData;
  const refused = actionData && "errors" in actionData ? actionData : null;
  const getRefused = (intent: string) => (refused?.values.intent === intent ? refused : null);
  useFocusFirstError(refused?.errors);
  const wouldLose = useCallback(() => {
    const texts = document.querySelectorAll<HTMLTextAreaElement>(".letter-form textarea");
    return [...texts].some(({ name, value }) => value !== (name === "note" ? note : ""));
  }, [note]);
  return (
    <Page
      back={<BackLink to="/admin/messages">Messages</BackLink>}
      title={subject}
      actions={<StateButtons state={state} isSuspected={isSuspected} />}
      aside={<MessageDetails message={loaderData} refused={getRefused("note")} key={note} />}
    >
      <FormAlert>{refused?.errors[""]}</FormAlert>
      <p>
        {isSuspected ? (
          <Badge tone="danger">Spam</Badge>
        ) : (
          <Badge tone={stateTones[state]}>{listLabels[state]}</Badge>
        )}{" "}
        <code>{ticket}</code>
      </p>
      <WrittenMessage by={loaderData.name} when={loaderData.sent} text={loaderData.message} />
      {answers.map(({ id, authorName, when, answer, mail }) => (
        <WrittenMessage
          key={id}
          by={authorName}
          when={when}
          text={answer}
          ours
          mail={mail ? mailStateTexts[mail] : null}
        />
      ))}
      <MessageAnswerForm
        key={`answers ${answers.length}`}
        email={loaderData.email}
        seen={answers.length}
        refused={getRefused("answer")}
      />
      <LeaveGuard
        wouldLose={wouldLose}
        title="Discard your text?"
        leave="Discard"
        stay="Keep writing"
      >
        <p>You have an unsaved reply or note.</p>
      </LeaveGuard>
    </Page>
  );
}

const mailStateTexts: Record<MailState, string> = {
  waiting: "Email queued",
  failing: "Email not delivered yet, retrying",
  "given-up": "Email not delivered",
  sent: "Email sent",
  dropped: "Email discarded",
};

function StateButtons({ state, isSuspected }: { state: string; isSuspected: boolean }) {
  return (
    <Form method="post" preventScrollReset className="row-actions">
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

function WrittenMessage({
  by,
  when,
  text,
  ours = false,
  mail = null,
}: {
  by: string;
  when: string;
  text: string;
  ours?: boolean;
  mail?: string | null;
}) {
  return (
    <article className="letter" data-ours={ours || undefined}>
      <header>
        {by}, {when}
        {mail && <> · {mail}</>}
      </header>
      <p>{text}</p>
    </article>
  );
}

type Refused = { errors: Record<string, string>; values: Record<string, string> } | null;

function MessageAnswerForm({
  email,
  seen,
  refused,
}: {
  email: string;
  seen: number;
  refused: Refused;
}) {
  const isSending = useNavigation().formData?.get("intent") === "answer";
  return (
    <Form method="post" noValidate preventScrollReset className="letter-form">
      <input type="hidden" name="seen" value={seen} />
      <TextAreaField
        label="Reply"
        name="answer"
        rows={8}
        // Sending clears the form, so text typed meanwhile would be lost.
        readOnly={isSending}
        defaultValue={refused?.values.answer}
        error={refused?.errors.answer}
        hint={`We'll email this to ${email} with the ticket number in the subject.`}
      />
      <SubmitButton intent="answer" pendingLabel="Sending...">
        Send reply
      </SubmitButton>
    </Form>
  );
}

type MessageView = {
  name: string;
  email: string;
  senderId: string | null;
  sent: string;
  note: string;
};

function MessageDetails({ message, refused }: { message: MessageView; refused: Refused }) {
  const { name, email, senderId, sent, note } = message;
  const isSavingNote = useNavigation().formData?.get("intent") === "note";
  return (
    <>
      <dl className="facts facts-narrow">
        <dt>From</dt>
        <dd>{senderId ? <Link to={`/admin/users/${senderId}`}>{name}</Link> : name}</dd>
        <dt>Email</dt>
        <dd>
          <a href={`mailto:${email}`}>{email}</a>
        </dd>
        <dt>Sent</dt>
        <dd>{sent}</dd>
        <dt>Signed in</dt>
        <dd>{senderId ? "Yes" : "No. The sender's identity isn't verified."}</dd>
      </dl>
      <Form method="post" noValidate preventScrollReset className="letter-form">
        <input type="hidden" name="seen" value={note} />
        <TextAreaField
          label="Note"
          name="note"
          rows={4}
          // The saved note replaces the text in the field.
          readOnly={isSavingNote}
          defaultValue={refused?.values.note ?? note}
          error={refused?.errors.note}
          hint="Only admins can see this."
        />
        <SubmitButton intent="note" variant="secondary" pendingLabel="Saving...">
          Save note
        </SubmitButton>
      </Form>
    </>
  );
}
