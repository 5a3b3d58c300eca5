import { useSearchParams } from "react-router";
import { z } from "zod";
import { getSignedInActor } from "../../accounts/actor.server.ts";
import { appContext } from "../../platform/app-context.server.ts";
import { formatShortDateTime } from "../../platform/clock.ts";
import {
  buildSuccess,
  createFormActions,
  createFormIntent,
  type FormProblems,
  showReasonAboveForm,
} from "../../platform/forms.server.ts";
import { writeQuery } from "../../platform/lists/lists.ts";
import type { OwnPath } from "../../platform/own-path.ts";
import { SubmitButton } from "../../ui/form/button.tsx";
import { FormAlert, useFocusFirstError } from "../../ui/form/field.tsx";
import { BackLink } from "../../ui/layout/back-link.tsx";
import { Link } from "../../ui/link.tsx";
import { loadList } from "../../ui/list/load-list.server.ts";
import { StaffList } from "../../ui/list/staff-list.tsx";
import type { Column } from "../../ui/list/table.tsx";
import { buildPrivateMeta } from "../../ui/meta.ts";
import { revalidateAfterRefusal } from "../../ui/refused-forms.ts";
import { DecisionForm, DecisionReason } from "../../ui/form/decision-form.tsx";
import { decisionReason } from "../../ui/form/decision-reason.server.ts";
import type { Route } from "./+types/mentions.screen.ts";
import {
  removeFromText,
  acceptText,
  type ListedMention,
  listMentions,
} from "./decide-mentions.server.ts";
import { describeMention } from "./mention-rules.ts";
import stylesheet from "./mentions.screen.css?url";
import * as styles from "./mentions.module.css";
import * as decisionStyles from "../../ui/form/decision-form.module.css";
import * as listsStyles from "../../ui/list/lists.module.css";

const title = "Removed contacts in texts";

export const meta: Route.MetaFunction = ({ matches }) => buildPrivateMeta(matches, title);

export async function loader({ url, context }: Route.LoaderArgs) {
  const after = url.searchParams.get("after") || null;
  const { db } = context.get(appContext);
  return loadList(
    context,
    async () => {
      const page = await listMentions(db, getSignedInActor(context), { after });
      return { ...page, rows: page.rows.map(toMentionRow) };
    },
    { fallback: "Failed to load the texts", none: {} },
  );
}

function toMentionRow({ id, kind, field, foundAt, link, quote }: ListedMention) {
  return {
    id,
    mention: describeMention({ kind, field }),
    link,
    quote,
    found: formatShortDateTime(foundAt),
  };
}

export const action = createFormActions({
  "erase-text": createFormIntent({
    schema: z.object({ id: z.string() }),
    run: ({ context, value }) =>
      removeFromText(context.get(appContext).db, getSignedInActor(context), value),
    done: () => buildSuccess("Contact erased from the text"),
    failed: showReasonAboveForm("Failed to erase the contact"),
  }),
  "keep-text": createFormIntent({
    schema: z.object({
      id: z.string(),
      reason: decisionReason,
    }),
    run: ({ context, value }) =>
      acceptText(context.get(appContext).db, getSignedInActor(context), value),
    done: () => buildSuccess("Text kept"),
    failed: showReasonAboveForm("Failed to keep the text"),
  }),
});

export const shouldRevalidate = revalidateAfterRefusal;

const buildMentionsAddress = (after: string | null): OwnPath =>
  `/admin/jobs/names${writeQuery({ after })}`;

export default function Mentions({ loaderData, actionData }: Route.ComponentProps) {
  const [params] = useSearchParams();
  const refused = actionData && "errors" in actionData ? actionData : null;
  useFocusFirstError(refused?.errors);
  return (
    <>
      <link rel="stylesheet" href={stylesheet} precedence="default" />
      <StaffList
        back={<BackLink to="/admin/jobs">Back to Job Board</BackLink>}
        title={title}
        intro="These contacts had their name removed, but texts of others may still name them. A listing is hidden until you decide about all of its texts."
        loaded={loaderData}
        columns={buildMentionColumns(refused)}
        rowKey={({ id }) => id}
        renderTable={(table) => <div className={decisionStyles.list}>{table}</div>}
        empty={{ title: "No texts to decide about", drawing: "inbox" }}
        after={params.get("after") || null}
        address={buildMentionsAddress}
      >
        <FormAlert>{refused?.errors[""]}</FormAlert>
      </StaffList>
    </>
  );
}

type MentionRow = ReturnType<typeof toMentionRow>;

function buildMentionColumns(refused: FormProblems | null): Column<MentionRow>[] {
  return [
    {
      header: "Text",
      wide: true,
      bare: true,
      cell: ({ mention, link, found }) => (
        <>
          {link ? <Link to={link}>{mention}</Link> : mention}
          <span className={listsStyles.preview}>Found {found}</span>
        </>
      ),
    },
    {
      header: "Quote",
      wide: true,
      cell: ({ quote }) =>
        quote === null ? "The text no longer names them." : <q className={styles.quote}>{quote}</q>,
    },
    {
      header: "Decision",
      wide: true,
      cell: (row) => (
        <MentionDecision row={row} refused={refused?.values.id === row.id ? refused : null} />
      ),
    },
  ];
}

function MentionDecision({
  row: { id, mention },
  refused,
}: {
  row: MentionRow;
  refused: FormProblems | null;
}) {
  const about = <span className="sr-only"> ({mention})</span>;
  return (
    <DecisionForm>
      <input type="hidden" name="id" value={id} />
      <SubmitButton intent="erase-text" variant="danger" size="sm" pendingLabel="Erasing...">
        Erase{about}
      </SubmitButton>
      <DecisionReason
        label={<>Reason for keeping it{about}</>}
        value={refused?.values.reason}
        error={refused?.errors.reason}
      />
      <SubmitButton intent="keep-text" variant="secondary" size="sm" pendingLabel="Saving...">
        Keep{about}
      </SubmitButton>
    </DecisionForm>
  );
}
