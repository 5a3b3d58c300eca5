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
import { MarkedFields } from "../../ui/differences/marked-fields.tsx";
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
import { CompanyLogo } from "../logo/company-logo.tsx";
import { getPageVersion, listPageDifferences } from "../page/company-page.server.ts";
import { buildLogoAddress } from "../rules.ts";
import type { Route } from "./+types/page-changes.screen.ts";
import { approvePageChange, returnPageChange } from "./decide-page-changes.server.tsx";
import { listPageChanges } from "./list-page-changes.server.ts";
import stylesheet from "./page-changes.screen.css?url";
import * as styles from "./page-changes.module.css";

const title = "Changes of companies' pages";

export const meta: Route.MetaFunction = ({ matches }) => buildPrivateMeta(matches, title);

export async function loader({ url, context }: Route.LoaderArgs) {
  const { db } = context.get(appContext);
  return loadList(
    context,
    async () => {
      const after = url.searchParams.get("after");
      const list = await listPageChanges(db, getSignedInActor(context), { after });
      return { ...list, rows: list.rows.map(toChangeRow) };
    },
    { fallback: "Failed to load the changes", none: {} },
  );
}

function toChangeRow({
  id,
  version,
  baseVersion,
  slug,
  state,
  page,
  change,
  sender,
  sentAt,
}: Awaited<ReturnType<typeof listPageChanges>>["rows"][number]) {
  const pageVersion = getPageVersion(page);
  return {
    id,
    version,
    pageVersion,
    isOutdated: baseVersion !== pageVersion,
    name: page.name,
    path: state === "approved" ? (`/companies/${slug}` as const) : null,
    fields: listPageDifferences(page, change),
    logos:
      page.logoHash === change.logoHash
        ? null
        : [page, change].map(({ logoHash }) => buildLogoAddress({ slug, logoHash })),
    sender: { id: sender.id, name: sender.name?.trim() || "Unnamed User" },
    sentOn: formatShortDateTime(sentAt),
  };
}

const readChange = z.object({ companyId: z.string(), version: z.string() });

export const action = createFormActions({
  "publish-page": createFormIntent({
    schema: readChange.extend({ pageVersion: z.string() }),
    run({ context, value }) {
      const { db, config } = context.get(appContext);
      return approvePageChange(db, getSignedInActor(context), value, config);
    },
    done: () => buildSuccess("Change published"),
    failed: showReasonAboveForm("Failed to publish the change"),
  }),
  "return-page": createFormIntent({
    schema: readChange.extend({ reason: decisionReason }),
    run({ context, value }) {
      const { db, config } = context.get(appContext);
      return returnPageChange(db, getSignedInActor(context), value, config);
    },
    done: () => buildSuccess("Change returned"),
    failed: showReasonAboveForm("Failed to return the change"),
  }),
});

export const shouldRevalidate = revalidateAfterRefusal;

const buildChangesAddress = (after: string | null) =>
  `/admin/companies/pages${writeQuery({ after })}` as const;

export default function PageChanges({ loaderData, actionData }: Route.ComponentProps) {
  const [params] = useSearchParams();
  const refused = actionData && "errors" in actionData ? actionData : null;
  useFocusFirstError(refused?.errors);
  return (
    <>
      <link rel="stylesheet" href={stylesheet} precedence="default" />
      <StaffList
        back={<BackLink to="/admin/companies">Back to Companies</BackLink>}
        title={title}
        intro="Designers see the published page until you publish a change. A reason is emailed to its sender."
        loaded={loaderData}
        columns={buildPageColumns(refused)}
        rowKey={({ id }) => id}
        renderTable={(table) => <div className={decisionStyles.list}>{table}</div>}
        empty={{ title: "No changes to decide", drawing: "inbox" }}
        after={params.get("after")}
        address={buildChangesAddress}
      >
        <FormAlert>{refused?.errors[""]}</FormAlert>
      </StaffList>
    </>
  );
}

type ChangeRow = ReturnType<typeof toChangeRow>;

function buildPageColumns(refused: FormProblems | null): Column<ChangeRow>[] {
  return [
    {
      header: "Company",
      wide: true,
      bare: true,
      cell: ({ name, path, sender, sentOn }) => (
        <>
          {path ? <Link to={path}>{name}</Link> : name}
          <span className={listsStyles.preview}>
            {sender.id ? <Link to={`/admin/users/${sender.id}`}>{sender.name}</Link> : sender.name}
          </span>
          <span className={listsStyles.preview}>{sentOn}</span>
        </>
      ),
    },
    {
      header: "What changes",
      wide: true,
      cell: ({ fields, logos }) => (
        <>
          <MarkedFields fields={fields} />
          {logos && <Logos before={logos[0]!} after={logos[1]!} />}
        </>
      ),
    },
    {
      header: "Decision",
      wide: true,
      cell: (change) => (
        <ChangeDecision
          change={change}
          refused={refused?.values.companyId === change.id ? refused : null}
        />
      ),
    },
  ];
}

function Logos({ before, after }: { before: string | null; after: string | null }) {
  return (
    <div className={styles.logos}>
      <figure>
        <figcaption>Logo now</figcaption>
        {before ? <CompanyLogo address={before} alt="The published logo" size={96} /> : "None"}
      </figure>
      <figure>
        <figcaption>New logo</figcaption>
        {after ? <CompanyLogo address={after} alt="The new logo" size={96} /> : "None"}
      </figure>
    </div>
  );
}

function ChangeDecision({ change, refused }: { change: ChangeRow; refused: FormProblems | null }) {
  const about = <span className="sr-only"> {change.name}</span>;
  return (
    <DecisionForm>
      {change.isOutdated && (
        <p>
          The published page has changed since this change was written. Compare it with the page as
          it is now.
        </p>
      )}
      <input type="hidden" name="companyId" value={change.id} />
      <input type="hidden" name="version" value={change.version} />
      <input type="hidden" name="pageVersion" value={change.pageVersion} />
      <DecisionReason
        label={<>What has to change{about}</>}
        value={refused?.values.reason}
        error={refused?.errors.reason}
      />
      <SubmitButton intent="publish-page" size="sm" pendingLabel="Publishing...">
        {change.isOutdated ? "Publish anyway" : "Publish"}
        {about}
      </SubmitButton>
      <SubmitButton intent="return-page" variant="secondary" size="sm" pendingLabel="Returning...">
        Return{about}
      </SubmitButton>
    </DecisionForm>
  );
}
