import { useRef } from "react";
import { Form, useNavigation, useSearchParams } from "react-router";
import { z } from "zod";
import { getSignedInActor } from "../../accounts/actor.server.ts";
import { describeArchived } from "../../jobs/check-rules.ts";
import { appContext } from "../../platform/app-context.server.ts";
import { formatShortDate } from "../../platform/clock.ts";
import { countNoun } from "../../platform/count-noun.ts";
import {
  buildSuccess,
  createFormActions,
  createFormIntent,
  showReasonAboveForm,
} from "../../platform/forms.server.ts";
import { writeQuery } from "../../platform/lists/lists.ts";
import { SubmitButton } from "../../ui/form/button.tsx";
import { FormAlert } from "../../ui/form/field.tsx";
import { useHydrated } from "../../ui/hydrated.ts";
import { BackLink } from "../../ui/layout/back-link.tsx";
import { TabLinks } from "../../ui/layout/tabs.tsx";
import { Link } from "../../ui/link.tsx";
import { loadList } from "../../ui/list/load-list.server.ts";
import * as listsStyles from "../../ui/list/lists.module.css";
import {
  SelectAll,
  SelectedCount,
  SelectionForm,
  SelectionSummary,
  useSelection,
  useSuccesses,
} from "../../ui/list/selection.tsx";
import { StaffList } from "../../ui/list/staff-list.tsx";
import type { Column } from "../../ui/list/table.tsx";
import { buildPrivateMeta } from "../../ui/meta.ts";
import { revalidateAfterRefusal } from "../../ui/refused-forms.ts";
import type { Route } from "./+types/link-listings.screen.ts";
import { addListingsToCompany, removeListingFromCompany } from "./link-listings.server.ts";
import { getCompanyToLink, listLinkable, listLinked } from "./list-linkable.server.ts";
import { linkMessages, maxLinked } from "./rules.ts";

/** The name of the boxes, whose values are the listings' ids. */
const ticked = "listing";

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  buildPrivateMeta(matches, buildTitle(loaderData?.company));

const buildTitle = (company?: { name: string }) =>
  company ? `Listings that name ${company.name}` : "Listings that name a company";

const isLinkedTab = (query: URLSearchParams) => query.get("show") === "linked";

export async function loader({ url, params, context }: Route.LoaderArgs) {
  const { db } = context.get(appContext);
  const actor = getSignedInActor(context);
  const company = await getCompanyToLink(db, actor, params.companyId);
  return loadList(
    context,
    async () => {
      const list = isLinkedTab(url.searchParams) ? listLinked : listLinkable;
      const page = await list(db, actor, company, url.searchParams.get("after"));
      return { ...page, company, rows: page.rows.map(toListingRow) };
    },
    { fallback: "Failed to load the listings", none: { company } },
  );
}

function toListingRow(listed: Awaited<ReturnType<typeof listLinkable>>["rows"][number]) {
  const { id, title, location, postedAt, isOpen } = listed;
  return {
    id,
    title,
    location,
    posted: formatShortDate(postedAt),
    state: isOpen ? "Open" : (describeArchived(listed) ?? "Archived"),
  };
}

export const action = createFormActions({
  "link-listings": createFormIntent({
    schema: z.object({}),
    run({ context, params, form }) {
      const jobIds = form.getAll(ticked).map(String);
      const { db } = context.get(appContext);
      const companyId = params.companyId!;
      return addListingsToCompany(db, getSignedInActor(context), { companyId, jobIds });
    },
    done: (linked) => buildSuccess(`Linked ${countNoun(linked, "listing")}`),
    failed: showReasonAboveForm("Failed to link the listings"),
  }),
  "unlink-listing": createFormIntent({
    schema: z.object({ id: z.string() }),
    run({ context, params, value: { id } }) {
      const { db } = context.get(appContext);
      const companyId = params.companyId!;
      return removeListingFromCompany(db, getSignedInActor(context), { companyId, jobId: id });
    },
    done: () => buildSuccess("Listing unlinked"),
    failed: showReasonAboveForm("Failed to unlink the listing"),
  }),
});

export const shouldRevalidate = revalidateAfterRefusal;

export default function LinkListings({ loaderData, actionData }: Route.ComponentProps) {
  const [params] = useSearchParams();
  const after = params.get("after");
  const isLinked = isLinkedTab(params);
  const { company, rows } = loaderData;
  const address = (cursor: string | null, show = isLinked ? "linked" : null) =>
    `/admin/companies/${company.id}/listings${writeQuery({ show, after: cursor })}` as const;
  const form = useRef<HTMLFormElement>(null);
  const [successes] = useSuccesses(actionData);
  const selection = useSelection(form, {
    name: ticked,
    rows,
    successes,
    across: { list: `listings of ${company.id}`, max: maxLinked },
  });
  const isSending = useNavigation().formMethod === "POST";
  const hydrated = useHydrated();
  const isApproved = company.state === "approved";
  return (
    <StaffList
      back={<BackLink to="/admin/companies">Back to Companies</BackLink>}
      title={buildTitle(company)}
      intro="Link a listing only after the company said that it is theirs. Its members then see its figures and can send changes. It stays on the board as it is."
      tabs={
        <TabLinks
          label="Listings"
          items={[
            { label: "Not linked", to: address(null, null), current: !isLinked },
            { label: "Linked", to: address(null, "linked"), current: isLinked },
          ]}
        />
      }
      loaded={loaderData}
      columns={isLinked ? [...listingColumns, unlinkColumn] : [tickColumn, ...listingColumns]}
      rowKey={({ id }) => id}
      renderTable={(table) =>
        isLinked ? (
          table
        ) : (
          <SelectionForm form={form} selection={selection} closed={address(after)}>
            <div className={listsStyles.assignBar}>
              <SelectAll selection={selection} of={rows.length} />
              <div className={listsStyles.assignActions}>
                <SelectionSummary of={selection} />
                <SubmitButton
                  intent="link-listings"
                  pendingLabel="Linking..."
                  disabled={!isApproved || (hydrated && (selection.count === 0 || isSending))}
                >
                  Link listings <SelectedCount of={selection} />
                </SubmitButton>
              </div>
            </div>
            {table}
          </SelectionForm>
        )
      }
      empty={
        isLinked
          ? { title: "No listings linked yet", drawing: "table" }
          : { title: "No other listing has this name", drawing: "inbox" }
      }
      after={after}
      address={address}
    >
      {!isApproved && <p>{linkMessages.notApproved}</p>}
      <FormAlert>{actionData && "errors" in actionData && actionData.errors[""]}</FormAlert>
    </StaffList>
  );
}

type ListingRow = ReturnType<typeof toListingRow>;

const tickColumn: Column<ListingRow> = {
  header: <span className="sr-only">Select</span>,
  label: "Select",
  cell: ({ id, title }) => (
    <label className={listsStyles.rowTick}>
      <input type="checkbox" name={ticked} value={id} aria-label={`Select ${title}`} />
    </label>
  ),
};

const listingColumns: Column<ListingRow>[] = [
  {
    header: "Listing",
    wide: true,
    bare: true,
    cell: ({ id, title, location }) => (
      <>
        <Link to={`/admin/jobs?edit=${id}`}>{title}</Link>
        <span className={`${listsStyles.preview} wrap-anywhere`}>{location}</span>
      </>
    ),
  },
  { header: "Posted", cell: ({ posted }) => posted },
  { header: "State", cell: ({ state }) => state },
];

const unlinkColumn: Column<ListingRow> = {
  header: <span className="sr-only">Actions</span>,
  cell: ({ id, title }) => (
    <Form method="post" preventScrollReset className={listsStyles.rowActions}>
      <input type="hidden" name="id" value={id} />
      <SubmitButton
        intent="unlink-listing"
        variant="ghost"
        size="sm"
        pendingLabel="Unlinking..."
        aria-description={title}
      >
        Unlink
      </SubmitButton>
    </Form>
  ),
};
