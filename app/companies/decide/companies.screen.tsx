import { Form, useSearchParams } from "react-router";
import { z } from "zod";
import { getSignedInActor } from "../../accounts/actor.server.ts";
import { appContext } from "../../platform/app-context.server.ts";
import { formatShortDate } from "../../platform/clock.ts";
import { countNoun } from "../../platform/count-noun.ts";
import {
  buildSuccess,
  createFormActions,
  createFormIntent,
  showReasonAsToast,
} from "../../platform/forms.server.ts";
import { writeQuery } from "../../platform/lists/lists.ts";
import { SubmitButton } from "../../ui/form/button.tsx";
import { BackLink } from "../../ui/layout/back-link.tsx";
import { Badge, type Tone } from "../../ui/layout/card.tsx";
import { Link } from "../../ui/link.tsx";
import { loadList } from "../../ui/list/load-list.server.ts";
import * as listsStyles from "../../ui/list/lists.module.css";
import { StaffList } from "../../ui/list/staff-list.tsx";
import type { Column } from "../../ui/list/table.tsx";
import { buildPrivateMeta } from "../../ui/meta.ts";
import { revalidateAfterRefusal } from "../../ui/refused-forms.ts";
import { type CompanyState, companyStateLabels } from "../rules.ts";
import type { Route } from "./+types/companies.screen.ts";
import { setCompanyState } from "./decide-companies.server.tsx";
import { listAllCompanies } from "./list-companies.server.ts";

const title = "Companies";

export const meta: Route.MetaFunction = ({ matches }) => buildPrivateMeta(matches, title);

export async function loader({ url, context }: Route.LoaderArgs) {
  const { db } = context.get(appContext);
  return loadList(
    context,
    async () => {
      const after = url.searchParams.get("after");
      const page = await listAllCompanies(db, getSignedInActor(context), { after });
      return {
        ...page,
        rows: page.rows.map(({ sortedName: _sorted, confirmedAt, ...company }) => ({
          ...company,
          isHidden: company.state === "hidden",
          since: confirmedAt && formatShortDate(confirmedAt),
        })),
      };
    },
    { fallback: "Failed to load the companies", none: {} },
  );
}

const buildDecisionIntent = (done: string, state: Exclude<CompanyState, "new">) =>
  createFormIntent({
    schema: z.object({ id: z.string() }),
    run: ({ context, value: { id } }) =>
      setCompanyState(context.get(appContext).db, getSignedInActor(context), {
        companyId: id,
        state,
      }),
    done: () => buildSuccess(done),
    failed: showReasonAsToast,
  });

export const action = createFormActions({
  "hide-company": buildDecisionIntent("Company hidden", "hidden"),
  "approve-company": buildDecisionIntent("Company approved", "approved"),
});

export const shouldRevalidate = revalidateAfterRefusal;

const buildCompaniesAddress = (after: string | null) =>
  `/admin/companies${writeQuery({ after })}` as const;

export default function AdminCompanies({ loaderData }: Route.ComponentProps) {
  const [params] = useSearchParams();
  return (
    <StaffList
      back={<BackLink to="/admin/jobs">Back to Job Board</BackLink>}
      title={title}
      intro="A hidden company has no public page, and its members can't post. Its listings stay on the board."
      loaded={loaderData}
      columns={columns}
      rowKey={({ id }) => id}
      empty={{ title: "No companies yet", drawing: "table" }}
      after={params.get("after")}
      address={buildCompaniesAddress}
    >
      <p>
        <Link to="/admin/companies/claims">People who want to post for an existing company</Link>
      </p>
      <p>
        <Link to="/admin/companies/pages">Changes of companies' pages</Link>
      </p>
    </StaffList>
  );
}

type CompanyRow = Route.ComponentProps["loaderData"]["rows"][number];

const tones: Record<CompanyState, Tone> = {
  new: "info",
  approved: "success",
  hidden: "neutral",
};

const columns: Column<CompanyRow>[] = [
  {
    header: "Company",
    wide: true,
    bare: true,
    cell: ({ name, slug, state, website }) => (
      <>
        {state === "approved" ? <Link to={`/companies/${slug}`}>{name}</Link> : name}
        <span className={`${listsStyles.preview} wrap-anywhere`}>{website}</span>
      </>
    ),
  },
  {
    header: "State",
    cell: ({ state }) => <Badge tone={tones[state]}>{companyStateLabels[state]}</Badge>,
  },
  { header: "Members", cell: ({ members }) => countNoun(members, "member") },
  { header: "Since", cell: ({ since }) => since },
  {
    header: "Old listings",
    cell: ({ id, name }) => (
      <Link to={`/admin/companies/${id}/listings`}>
        Link<span className="sr-only"> listings that name {name}</span>
      </Link>
    ),
  },
  {
    header: <span className="sr-only">Actions</span>,
    cell: ({ id, name, isHidden }) => (
      <Form method="post" preventScrollReset className={listsStyles.rowActions}>
        <input type="hidden" name="id" value={id} />
        <SubmitButton
          intent={isHidden ? "approve-company" : "hide-company"}
          variant="ghost"
          size="sm"
          pendingLabel="Saving..."
          aria-description={name}
        >
          {isHidden ? "Approve" : "Hide"}
        </SubmitButton>
      </Form>
    ),
  },
];
