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
import { SubmitButton } from "../../ui/form/button.tsx";
import { DecisionForm, DecisionReason } from "../../ui/form/decision-form.tsx";
import * as decisionStyles from "../../ui/form/decision-form.module.css";
import { decisionReason } from "../../ui/form/decision-reason.server.ts";
import { FormAlert, useFocusFirstError } from "../../ui/form/field.tsx";
import { BackLink } from "../../ui/layout/back-link.tsx";
import { Link } from "../../ui/link.tsx";
import { loadList } from "../../ui/list/load-list.server.ts";
import * as listsStyles from "../../ui/list/lists.module.css";
import { StaffList } from "../../ui/list/staff-list.tsx";
import type { Column } from "../../ui/list/table.tsx";
import { buildPrivateMeta } from "../../ui/meta.ts";
import { revalidateAfterRefusal } from "../../ui/refused-forms.ts";
import type { Route } from "./+types/claims.screen.ts";
import stylesheet from "./claims.screen.css?url";
import { approveClaim, declineClaim } from "./decide-companies.server.tsx";
import { listClaims } from "./list-companies.server.ts";

const title = "Claims on companies";

export const meta: Route.MetaFunction = ({ matches }) => buildPrivateMeta(matches, title);

export async function loader({ url, context }: Route.LoaderArgs) {
  const { db } = context.get(appContext);
  return loadList(
    context,
    async () => {
      const after = url.searchParams.get("after");
      const page = await listClaims(db, getSignedInActor(context), { after });
      return { ...page, rows: page.rows.map(toClaimRow) };
    },
    { fallback: "Failed to load the claims", none: {} },
  );
}

function toClaimRow({
  confirmedAt,
  person,
  ...claim
}: Awaited<ReturnType<typeof listClaims>>["rows"][number]) {
  return {
    ...claim,
    person: person?.trim() || "Unnamed User",
    confirmed: formatShortDateTime(confirmedAt),
  };
}

export const action = createFormActions({
  "approve-claim": createFormIntent({
    schema: z.object({ memberId: z.string() }),
    run({ context, value: { memberId } }) {
      const { db, config } = context.get(appContext);
      return approveClaim(db, getSignedInActor(context), memberId, config);
    },
    done: () => buildSuccess("They can post now"),
    failed: showReasonAboveForm("Failed to approve the claim"),
  }),
  "decline-claim": createFormIntent({
    schema: z.object({ memberId: z.string(), reason: decisionReason }),
    run({ context, value }) {
      const { db, config } = context.get(appContext);
      return declineClaim(db, getSignedInActor(context), value, config);
    },
    done: () => buildSuccess("Claim declined"),
    failed: showReasonAboveForm("Failed to decline the claim"),
  }),
});

export const shouldRevalidate = revalidateAfterRefusal;

const buildClaimsAddress = (after: string | null) =>
  `/admin/companies/claims${writeQuery({ after })}` as const;

export default function Claims({ loaderData, actionData }: Route.ComponentProps) {
  const [params] = useSearchParams();
  const refused = actionData && "errors" in actionData ? actionData : null;
  useFocusFirstError(refused?.errors);
  return (
    <>
      <link rel="stylesheet" href={stylesheet} precedence="default" />
      <StaffList
        back={<BackLink to="/admin/companies">Back to Companies</BackLink>}
        title={title}
        intro="These people confirmed an address at a company's domain, but someone else posts for it already. Ask the company before you approve. A reason is emailed to the person."
        loaded={loaderData}
        columns={buildClaimColumns(refused)}
        rowKey={({ id }) => id}
        renderTable={(table) => <div className={decisionStyles.list}>{table}</div>}
        empty={{ title: "No claims to decide", drawing: "inbox" }}
        after={params.get("after")}
        address={buildClaimsAddress}
      >
        <FormAlert>{refused?.errors[""]}</FormAlert>
      </StaffList>
    </>
  );
}

type ClaimRow = ReturnType<typeof toClaimRow>;

function buildClaimColumns(refused: FormProblems | null): Column<ClaimRow>[] {
  return [
    {
      header: "Person",
      wide: true,
      bare: true,
      cell: ({ userId, person, workEmail, confirmed }) => (
        <>
          <Link to={`/admin/users/${userId}`}>{person}</Link>
          <span className={`${listsStyles.preview} wrap-anywhere`}>{workEmail}</span>
          <span className={listsStyles.preview}>{confirmed}</span>
        </>
      ),
    },
    {
      header: "Company",
      wide: true,
      cell: ({ company, domain }) => (
        <>
          {company}
          <span className={`${listsStyles.preview} wrap-anywhere`}>{domain}</span>
        </>
      ),
    },
    {
      header: "Decision",
      wide: true,
      cell: (claim) => (
        <ClaimDecision
          claim={claim}
          refused={refused?.values.memberId === claim.id ? refused : null}
        />
      ),
    },
  ];
}

function ClaimDecision({ claim, refused }: { claim: ClaimRow; refused: FormProblems | null }) {
  const about = <span className="sr-only"> {claim.workEmail}</span>;
  return (
    <DecisionForm>
      <input type="hidden" name="memberId" value={claim.id} />
      <DecisionReason
        label={<>Reason for declining{about}</>}
        value={refused?.values.reason}
        error={refused?.errors.reason}
      />
      <SubmitButton intent="approve-claim" size="sm" pendingLabel="Approving...">
        Approve{about}
      </SubmitButton>
      <SubmitButton
        intent="decline-claim"
        variant="secondary"
        size="sm"
        pendingLabel="Declining..."
      >
        Decline{about}
      </SubmitButton>
    </DecisionForm>
  );
}
