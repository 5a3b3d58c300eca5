import { data, Form, useNavigation } from "react-router";
import { z } from "zod";
import { appContext } from "../../platform/app-context.server.ts";
import { day, formatShortDate, formatShortDateTime, hour, now } from "../../platform/clock.ts";
import {
  buildSuccess,
  createFormActions,
  createFormIntent,
  showReasonAboveForm,
} from "../../platform/forms.server.ts";
import { countAsker, countTry } from "../../platform/rate-limit.server.ts";
import { secretLinkHeaders } from "../../platform/signed-ids.server.ts";
import { lines } from "../../platform/text/text-fields.server.ts";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { ButtonLink, SubmitButton } from "../../ui/form/button.tsx";
import { FormAlert, SelectField, TextAreaField, useFocusFirstError } from "../../ui/form/field.tsx";
import { Badge } from "../../ui/layout/card.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { Link } from "../../ui/link.tsx";
import { buildPrivateMeta } from "../../ui/meta.ts";
import { revalidateAfterRefusal } from "../../ui/refused-forms.ts";
import { buildLengthSchema } from "../send-message.server.tsx";
import {
  acknowledgeWithin,
  kindLabels,
  messageKinds,
  reopenPeriod,
  stateTones,
  writerStateLabels,
} from "../rules.ts";
import type { Route } from "./+types/support.screen.ts";
import {
  changeOwnMessageKind,
  type Conversation,
  findConversation,
  addFollowUp,
  followUpByClient,
  followUpByTicket,
  getLinkedTicket,
  invalidLink,
} from "./conversation.server.tsx";
import { countNoun } from "../../platform/count-noun.ts";
import stylesheet from "./support.screen.css?url";
import * as styles from "./support.module.css";

export const meta: Route.MetaFunction = ({ matches }) => buildPrivateMeta(matches, "Your message");

export const headers = () => secretLinkHeaders;

export async function loader({ params: { token }, context }: Route.LoaderArgs) {
  const { db, config } = context.get(appContext);
  const conversation = await findConversation(db, config, token);
  if (!conversation) return data({ message: null, invalidLink }, { status: 404 });
  return data({ message: toView(conversation, config.product.name), invalidLink });
}

function toView(conversation: Conversation, productName: string) {
  const { createdAt, acknowledgedAt, acknowledgeBy, dueAt, settledAt } = conversation;
  const { entries, reopenUntil, email, ...rest } = conversation;
  const lastAt = entries.at(-1)?.at;
  return {
    ...rest,
    email: formatMaskedEmail(email),
    entries: entries.map(({ id, at, isFromWriter, text }) => ({
      id,
      by: isFromWriter ? "You" : productName,
      isFromWriter,
      text,
      when: formatShortDateTime(at),
    })),
    /** Until then, the dates say when we read it. */
    isRead: acknowledgedAt !== null,
    dates: [
      { name: "Sent", value: formatShortDateTime(createdAt) },
      acknowledgedAt
        ? { name: "Read by a person", value: formatShortDateTime(acknowledgedAt) }
        : { name: "We read it by", value: formatShortDateTime(acknowledgeBy) },
      settledAt
        ? { name: "Closed", value: formatShortDateTime(settledAt) }
        : { name: "We settle it by", value: formatShortDate(dueAt) },
    ],
    /** When it closes by itself, once we have replied. */
    closesOn:
      conversation.state === "answered" && lastAt
        ? formatShortDate(new Date(lastAt.getTime() + reopenPeriod))
        : null,
    canWrite: reopenUntil === null || reopenUntil > now(),
    reopenUntil: reopenUntil && formatShortDate(reopenUntil),
  };
}

/** "le•••@example.com" */
function formatMaskedEmail(email: string): string {
  return email.replace(/^(.{1,2})[^@]*/, "$1•••");
}

export const action = createFormActions({
  write: createFormIntent({
    schema: z.object({
      text: lines.pipe(buildLengthSchema("Message", 2, 5000)),
      seen: z.coerce.number().catch(-1),
    }),
    async run({ params: { token = "" }, context, value }) {
      const { db, config } = context.get(appContext);
      await countAsker(context, followUpByClient);
      await countTry({ db, config }, followUpByTicket, getLinkedTicket(config, token));
      await addFollowUp(db, config, { token, ...value });
    },
    done: () => buildSuccess("Message sent"),
    failed: showReasonAboveForm("We couldn't send your message"),
  }),
  kind: createFormIntent({
    schema: z.object({ kind: z.enum(messageKinds, "Choose an option from the list") }),
    async run({ params: { token = "" }, context, value: { kind } }) {
      const { db, config } = context.get(appContext);
      await countAsker(context, followUpByClient);
      await changeOwnMessageKind(db, config, { token, kind });
    },
    done: () => buildSuccess("Saved"),
    failed: showReasonAboveForm("We couldn't save that"),
  }),
});

export const shouldRevalidate = revalidateAfterRefusal;

export default function Support({ loaderData, actionData }: Route.ComponentProps) {
  const { message } = loaderData;
  const refused = actionData && "errors" in actionData ? actionData : null;
  useFocusFirstError(refused?.errors);
  if (!message)
    return (
      <Page title="Your message">
        <link rel="stylesheet" href={stylesheet} precedence="default" />
        <EmptyState
          drawing="lost"
          title={loaderData.invalidLink}
          action={<ButtonLink to="/contact">Send us a new message</ButtonLink>}
        />
      </Page>
    );
  return (
    <Page
      title={message.subject}
      intro={
        <p className={styles.facts}>
          <Badge tone={stateTones[message.state]}>{writerStateLabels[message.state]}</Badge>
          <span>
            Ticket <strong>{message.ticket}</strong>
          </span>
        </p>
      }
      aside={<MessageFacts message={message} error={refused?.errors.kind} />}
    >
      <link rel="stylesheet" href={stylesheet} precedence="default" />
      <ol className={styles.entries}>
        <SupportEntry by="You" when={message.dates[0]!.value} text={message.message} isFromWriter />
        {message.entries.map(({ id, ...entry }) => (
          <SupportEntry key={id} {...entry} email={message.email} />
        ))}
      </ol>
      <FormAlert>{refused?.errors[""]}</FormAlert>
      <FollowUpForm
        key={`entries ${message.entries.length}`}
        message={message}
        text={refused?.values.text}
        error={refused?.errors.text}
      />
    </Page>
  );
}

type MessageView = ReturnType<typeof toView>;

function SupportEntry({
  by,
  when,
  text,
  isFromWriter,
  email,
}: {
  by: string;
  when: string;
  text: string | null;
  isFromWriter: boolean;
  email?: string;
}) {
  return (
    <li className={styles.entry} data-ours={!isFromWriter || undefined}>
      <p className={styles.entryBy}>
        <strong>{by}</strong>, {when}
      </p>
      {text === null ? (
        <p>We emailed our reply to {email}. Open the link in that email to read it here too.</p>
      ) : (
        <p className={styles.entryText}>{text}</p>
      )}
    </li>
  );
}

function FollowUpForm({
  message: { state, entries, isRead, canWrite, reopenUntil, closesOn },
  text,
  error,
}: {
  message: MessageView;
  text?: string;
  error?: string;
}) {
  // Sending clears the form, so text typed meanwhile would be lost.
  const readOnly = useNavigation().formData?.get("intent") === "write";
  if (!canWrite)
    return (
      <p>
        This message was closed more than {reopenPeriod / day} days ago.{" "}
        <Link to="/contact">Send us a new one</Link> to continue.
      </p>
    );
  const isClosed = state === "closed";
  return (
    <Form method="post" noValidate preventScrollReset className={styles.form}>
      <input type="hidden" name="seen" value={entries.length} />
      <TextAreaField
        label={isClosed ? "Something still open?" : "Add a message"}
        name="text"
        rows={5}
        readOnly={readOnly}
        defaultValue={text}
        error={error}
        hint={
          isClosed
            ? `You can reopen this message until ${reopenUntil}.`
            : closesOn
              ? `If you don't write again by ${closesOn}, we'll close this message.`
              : isRead &&
                `We read every message within ${countNoun(acknowledgeWithin / hour, "hour")}.`
        }
      />
      <SubmitButton intent="write" pendingLabel="Sending...">
        {isClosed ? "Send and reopen" : "Send"}
      </SubmitButton>
    </Form>
  );
}

function MessageFacts({
  message: { dates, kind },
  error,
}: {
  message: MessageView;
  error?: string;
}) {
  return (
    <>
      <dl className={styles.dates}>
        {dates.map(({ name, value }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <Form method="post" preventScrollReset className={styles.form}>
        <SelectField
          key={kind}
          label="What is it about?"
          name="kind"
          defaultValue={kind}
          options={messageKinds.map((value) => ({ value, label: kindLabels[value] }))}
          error={error}
        />
        <SubmitButton intent="kind" variant="secondary" pendingLabel="Saving...">
          Save
        </SubmitButton>
      </Form>
      <p className={styles.hint}>
        Keep this page&apos;s address private: anyone who has it can read your message.
      </p>
    </>
  );
}
