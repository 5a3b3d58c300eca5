import { Form, useFetcher, useSearchParams } from "react-router";
import { z } from "zod";
import { getSignedInActor } from "../../accounts/actor.server.ts";
import { type MailState, mailStates } from "../../mail/rules.ts";
import { appContext } from "../../platform/app-context.server.ts";
import { formatShortDateTime } from "../../platform/clock.ts";
import { createFormActions, createFormIntent, buildSuccess } from "../../platform/forms.server.ts";
import { writeQuery } from "../../platform/lists/lists.ts";
import { countNoun } from "../../platform/count-noun.ts";
import type { OwnAddress, OwnPath } from "../../platform/own-path.ts";
import { FormDialog } from "../../ui/feedback/form-dialog.tsx";
import { SubmitButton } from "../../ui/form/button.tsx";
import { Badge, type Tone } from "../../ui/layout/card.tsx";
import { TabLinks } from "../../ui/layout/tabs.tsx";
import { loadList } from "../../ui/list/load-list.server.ts";
import { StaffList } from "../../ui/list/staff-list.tsx";
import type { Column } from "../../ui/list/table.tsx";
import { Link } from "../../ui/link.tsx";
import { buildPrivateMeta } from "../../ui/meta.ts";
import { revalidateAfterRefusal } from "../../ui/refused-forms.ts";
import type { Route } from "./+types/mails.screen.ts";
import {
  cancelMail,
  listQueuedMails,
  formatMailKind,
  retryGivenUpMails,
  retryMail,
} from "./manage-mails.server.ts";
import * as listsStyles from "../../ui/list/lists.module.css";
import * as buttonStyles from "../../ui/form/button.module.css";
import * as styles from "./mails.module.css";

const title = "Email";

export const meta: Route.MetaFunction = ({ matches }) => buildPrivateMeta(matches, title);

export async function loader({ request, context }: Route.LoaderArgs) {
  const query = parseMailsQuery(new URL(request.url).searchParams);
  const { db } = context.get(appContext);
  return loadList(
    context,
    async () => {
      const { rows, ...cursors } = await listQueuedMails(db, getSignedInActor(context), query);
      const toRow = ({ cause, createdAt, sentAt, nextTryAt, ...mail }: (typeof rows)[number]) => ({
        ...mail,
        kind: formatMailKind(cause),
        queued: formatShortDateTime(createdAt),
        sent: sentAt && formatShortDateTime(sentAt),
        nextTry: nextTryAt && formatShortDateTime(nextTryAt),
      });
      return { ...cursors, rows: rows.map(toRow) };
    },
    { fallback: "Failed to load the email list", none: { counts: null } },
  );
}

const mailSchema = z.object({ mailId: z.string() });

export const action = createFormActions({
  retry: createFormIntent({
    schema: mailSchema,
    run: ({ context, value: { mailId } }) =>
      retryMail(context.get(appContext).db, getSignedInActor(context), mailId),
    done: () => buildSuccess("Resending the email"),
    failed: "Failed to resend the email",
  }),
  "retry-all": createFormIntent({
    schema: z.object({}),
    run: ({ context }) => retryGivenUpMails(context.get(appContext).db, getSignedInActor(context)),
    done: (retried) => buildSuccess(`Resending ${countNoun(retried, "email")}`),
    failed: "Failed to resend the emails",
  }),
  drop: createFormIntent({
    schema: mailSchema,
    run: ({ context, value: { mailId } }) =>
      cancelMail(context.get(appContext).db, getSignedInActor(context), mailId),
    done: () => buildSuccess("Email discarded"),
    failed: "Failed to discard the email",
  }),
});

export const shouldRevalidate = revalidateAfterRefusal;

export default function MailQueue({ loaderData }: Route.ComponentProps) {
  const { rows, counts } = loaderData;
  const [params] = useSearchParams();
  const query = parseMailsQuery(params);
  return (
    <StaffList
      title={title}
      actions={query.state === "given-up" && rows.length > 0 && <RetryAll />}
      tabs={
        <TabLinks
          label="Emails"
          items={[null, ...mailStates].map((state) => ({
            label: state ? stateBadges[state].label : "All",
            to: buildMailsAddress({ state, after: null, drop: null }),
            current: state === query.state,
            count: (state && counts?.[state]) ?? undefined,
          }))}
        />
      }
      loaded={loaderData}
      caption="Emails"
      columns={buildMailColumns(query)}
      rowKey={({ id }) => id}
      empty={{ title: "No emails", drawing: "inbox" }}
      after={query.after}
      address={(after) => buildMailsAddress({ ...query, after, drop: null })}
    >
      <p className="text-ink-soft">
        Email from the last 30 days. We retry failed email for a day, then stop. Email that a mail
        server rejects permanently isn&apos;t retried.
      </p>
      <CancelMailDialog
        mail={rows.find(({ id, state }) => id === query.drop && isMailOpen(state)) ?? null}
        closed={buildMailsAddress({ ...query, drop: null })}
      />
    </StaffList>
  );
}

/** The query of the email list. */
type MailsQuery = { state: MailState | null; after: string | null; drop: string | null };

/** Invalid parameters are ignored. */
function parseMailsQuery(params: URLSearchParams): MailsQuery {
  return {
    state: mailStates.find((state) => state === params.get("state")) ?? null,
    after: params.get("after") || null,
    drop: params.get("drop") || null,
  };
}

function buildMailsAddress(query: MailsQuery): OwnPath {
  return `/admin/mail${writeQuery(query)}`;
}

const stateBadges: Record<MailState, { label: string; tone: Tone }> = {
  waiting: { label: "Queued", tone: "info" },
  failing: { label: "Retrying", tone: "warning" },
  "given-up": { label: "Failed", tone: "danger" },
  sent: { label: "Sent", tone: "success" },
  dropped: { label: "Discarded", tone: "neutral" },
};

type MailRow = {
  id: string;
  kind: string;
  recipient: string;
  subject: string;
  state: MailState;
  attempts: number;
  lastError: string | null;
  queued: string;
  sent: string | null;
  nextTry: string | null;
};

const isMailOpen = (state: MailState) =>
  state === "waiting" || state === "failing" || state === "given-up";

function buildMailColumns(query: MailsQuery): Column<MailRow>[] {
  return [
    {
      header: "Email",
      wide: true,
      bare: true,
      cell: ({ kind, subject, recipient }) => (
        <>
          <span className={styles.subject}>{subject}</span>
          <span className={`${listsStyles.preview} wrap-anywhere`}>To {recipient}</span>
          <span className={listsStyles.preview}>{kind}</span>
        </>
      ),
    },
    {
      header: "Queued",
      cell: ({ queued }) => <span className="whitespace-nowrap">{queued}</span>,
    },
    {
      header: "State",
      cell: ({ state, ...attempts }) => (
        <>
          <Badge tone={stateBadges[state].tone}>{stateBadges[state].label}</Badge>
          <span className={listsStyles.preview}>{formatAttempts(attempts)}</span>
        </>
      ),
    },
    {
      header: "Last error",
      wide: true,
      cell: ({ lastError }) =>
        lastError ? (
          <span className={`${listsStyles.preview} wrap-anywhere`}>{lastError}</span>
        ) : (
          <span className="sr-only">None</span>
        ),
    },
    {
      header: <span className="sr-only">Actions</span>,
      cell: (mail) => isMailOpen(mail.state) && <MailActions mail={mail} query={query} />,
    },
  ];
}

/** Returns "4 attempts, next Nov 22, 2026, 10:33 AM", or the parts of it that apply. */
function formatAttempts({
  attempts,
  sent,
  nextTry,
}: Pick<MailRow, "attempts" | "sent" | "nextTry">) {
  if (sent) return sent;
  const count = attempts === 0 ? [] : [countNoun(attempts, "attempt")];
  return [...count, ...(nextTry ? [`next ${nextTry}`] : [])].join(", ");
}

function MailActions({
  mail: { id, subject, recipient },
  query,
}: {
  mail: MailRow;
  query: MailsQuery;
}) {
  const fetcher = useFetcher();
  const about = `“${subject}” to ${recipient}`;
  return (
    <div className={listsStyles.rowActions}>
      <fetcher.Form method="post" preventScrollReset>
        <input type="hidden" name="mailId" value={id} />
        <SubmitButton
          intent="retry"
          variant="secondary"
          size="sm"
          className="whitespace-nowrap"
          pending={fetcher.state !== "idle"}
          pendingLabel="Sending..."
        >
          Resend <span className="sr-only">{about}</span>
        </SubmitButton>
      </fetcher.Form>
      <Link
        to={buildMailsAddress({ ...query, drop: id })}
        className={`${buttonStyles.button} ${buttonStyles.ghost} ${buttonStyles.sm} whitespace-nowrap`}
        replace
        preventScrollReset
      >
        Discard <span className="sr-only">{about}</span>
      </Link>
    </div>
  );
}

function RetryAll() {
  return (
    <Form method="post" preventScrollReset>
      <SubmitButton intent="retry-all" variant="secondary" pendingLabel="Sending...">
        Resend all
      </SubmitButton>
    </Form>
  );
}

function CancelMailDialog({ mail, closed }: { mail: MailRow | null; closed: OwnAddress }) {
  return (
    <FormDialog
      open={mail !== null}
      title="Discard this email?"
      closed={closed}
      intent="drop"
      submitLabel="Discard email"
      pendingLabel="Discarding..."
      variant="danger"
    >
      {mail && (
        <>
          <input type="hidden" name="mailId" value={mail.id} />
          <p>
            “{mail.subject}” to {mail.recipient} won&apos;t be sent. You can&apos;t undo this.
          </p>
        </>
      )}
    </FormDialog>
  );
}
