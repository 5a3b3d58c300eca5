import { useRef } from "react";
import {
  data,
  type MiddlewareFunction,
  useLocation,
  useNavigation,
  useSearchParams,
} from "react-router";
import { z } from "zod";
import { currentActor } from "../../accounts/actor.server.ts";
import { requireRole } from "../../accounts/guards.server.ts";
import { parseContact } from "../../jobs/contact/parse-contact.ts";
import { countDueChecks, listDueChecks } from "../../jobs/due-checks.server.ts";
import type { ListingScope } from "../../jobs/own-listings.server.ts";
import { appContext } from "../../platform/app-context.server.ts";
import { formatShortDate, now } from "../../platform/clock.ts";
import { createFormActions, createFormIntent } from "../../platform/forms.server.ts";
import { writeQuery } from "../../platform/lists/lists.ts";
import { type OwnPath, getOwnPath } from "../../platform/own-path.ts";
import { redirect } from "../../platform/redirect.server.ts";
import { sendFormWithTitles } from "../../ui/feedback/titled-forms.ts";
import { FormAlert } from "../../ui/form/field.tsx";
import { Link } from "../../ui/link.tsx";
import { loadList } from "../../ui/list/load-list.server.ts";
import { SelectionForm, useSelection } from "../../ui/list/selection.tsx";
import { StaffList } from "../../ui/list/staff-list.tsx";
import { buildPrivateMeta } from "../../ui/meta.ts";
import { revalidateAfterRefusal } from "../../ui/refused-forms.ts";
import type { Route } from "./+types/check-queue.screen.ts";
import { checkJobs } from "./check-jobs.server.ts";
import { AnswerBar, buildCheckColumns, tickedJob } from "./queue-parts.tsx";
import {
  answers,
  buildCheckToast,
  describeLastCheck,
  describeUrgency,
  failedTitles,
  messages,
  removalWarning,
} from "./rules.ts";

const title = "Listings to check";

/** The two screens: all listings for admins, and a person's own. */
const boards = {
  "/admin/jobs": { scope: "all", label: "Job Board" },
  "/job-board": { scope: "own", label: "Job Board Management" },
} as const;

function getBoard({ pathname }: { pathname: string }): keyof typeof boards {
  return /^\/admin\//i.test(pathname) ? "/admin/jobs" : "/job-board";
}

/** Subscribers may open the job board, but only staff may check its listings. */
const requireAdder: MiddlewareFunction<Response> = (args, next) =>
  boards[getBoard(args.url)].scope === "own" ? requireRole("isJobBoardAdder")(args, next) : next();

export const middleware = [requireAdder];

export const meta: Route.MetaFunction = ({ matches }) => buildPrivateMeta(matches, title);

export async function loader({ url, context }: Route.LoaderArgs) {
  const { db } = context.get(appContext);
  const actor = context.get(currentActor);
  const { scope } = boards[getBoard(url)];
  return loadList(
    context,
    async () => {
      const [{ rows, ...page }, total] = await Promise.all([
        listDueChecks(db, actor, scope, { after: url.searchParams.get("after") }),
        countDueChecks(db, actor, scope),
      ]);
      const moment = now();
      return { ...page, total, rows: rows.map((row) => toCheckRow(row, moment, scope)) };
    },
    { fallback: messages.listFailed, none: {} },
  );
}

type Listed = Awaited<ReturnType<typeof listDueChecks>>["rows"][number];

function toCheckRow(listed: Listed, moment: Date, scope: ListingScope) {
  const { id, title: name, company, postedAt, checkedAt, lastCheck } = listed;
  return {
    id,
    title: name,
    company,
    warning: scope === "all" && listed.followsRemoval ? removalWarning : null,
    posted: formatShortDate(postedAt),
    lastCheck: describeLastCheck(checkedAt, lastCheck),
    ...describeUrgency(listed, moment),
    contact: {
      name: listed.pocName,
      parts: listed.pocContact ? parseContact(listed.pocContact).parts : [],
      email: listed.checkEmail,
      portal: listed.portalApplicationLink,
    },
  };
}

/** Answers for the listing in the address, or else for the ticked ones. */
const buildCheckIntent = (intent: keyof typeof answers) =>
  createFormIntent({
    schema: z.object({}),
    run({ context, form, url }) {
      const { db, config } = context.get(appContext);
      const only = url.searchParams.get("only");
      const jobIds = only ? [only] : form.getAll(tickedJob).map(String);
      const { result } = answers[intent];
      return checkJobs(db, context.get(currentActor), { jobIds, result }, config.checks);
    },
    done: (outcome, { url }) => ({
      toast: buildCheckToast(outcome),
      data: redirect(
        buildQueueAddress(getOwnPath({ pathname: url.pathname }), url.searchParams.get("after")),
      ),
    }),
    failed: ({ message, refusal }) => ({
      toast: { kind: "error", title: messages.failed },
      data: data({ ...refusal.data, errors: { "": message } }, refusal.init ?? undefined),
    }),
  });

export const action = createFormActions({
  "still-open": buildCheckIntent("still-open"),
  filled: buildCheckIntent("filled"),
  closed: buildCheckIntent("closed"),
});

export const clientAction = (args: Route.ClientActionArgs) =>
  sendFormWithTitles(args, failedTitles);

export const shouldRevalidate = revalidateAfterRefusal;

export default function CheckQueue({ loaderData, actionData: refused }: Route.ComponentProps) {
  const [params] = useSearchParams();
  const board = getBoard(useLocation());
  const path = `${board}/checks` as const;
  const after = params.get("after");
  const address = (cursor: string | null) => buildQueueAddress(path, cursor);
  const answerOne = (id: string) => `${path}${writeQuery({ after, only: id })}` as const;
  const form = useRef<HTMLFormElement>(null);
  const { rows } = loaderData;
  const selection = useSelection(form, { name: tickedJob, rows });
  const isSending = useNavigation().formMethod === "POST";
  return (
    <StaffList
      title={title}
      intro="Ask the contact of each job if it is still open, then choose the answer."
      loaded={loaderData}
      columns={buildCheckColumns(answerOne)}
      rowKey={({ id }) => id}
      renderTable={(table) => (
        <SelectionForm form={form} selection={selection} closed={address(after)}>
          <AnswerBar selection={selection} of={rows.length} isSending={isSending} />
          {table}
        </SelectionForm>
      )}
      empty={{ title: "No listings to check", drawing: "inbox" }}
      after={after}
      address={address}
    >
      <p>
        <Link to={board}>{boards[board].label}</Link>
      </p>
      {/* Outside of the form, since the list may be empty after the last listing was refused. */}
      <FormAlert>{refused?.errors[""]}</FormAlert>
    </StaffList>
  );
}

function buildQueueAddress(path: OwnPath, after: string | null): OwnPath {
  return `${path}${writeQuery({ after })}`;
}
