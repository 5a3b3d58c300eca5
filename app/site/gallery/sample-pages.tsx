import type { ReactNode } from "react";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { Button, ButtonLink } from "../../ui/form/button.tsx";
import { Field, PasswordField } from "../../ui/form/field.tsx";
import { BackLink } from "../../ui/layout/back-link.tsx";
import { Badge } from "../../ui/layout/card.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { ListFilters } from "../../ui/list/list-filters.tsx";
import { RowMenu } from "../../ui/list/row-menu.tsx";
import { type LoadedList, StaffList } from "../../ui/list/staff-list.tsx";
import { type Column, getAriaSort, ShortId, SortHeader } from "../../ui/list/table.tsx";
import { hindiText, longText, longWord, type State } from "./specimen.tsx";

const back = <BackLink to="/demo/components">Back to Components</BackLink>;

/** Components that fill a page. Each state has its own address. */
const samplePages: readonly {
  id: string;
  component: "Page" | "StaffList";
  label: string;
  show(): ReactNode;
}[] = [
  {
    id: "narrow",
    component: "Page",
    label: 'width="narrow"',
    show: () => (
      <Page back={back} title="One form" intro="A narrow page has one form." width="narrow">
        <form onSubmit={(event) => event.preventDefault()}>
          <Field label="Name" name="name" />
          <PasswordField label="Password" name="password" autoComplete="new-password" />
          <Button>Save changes</Button>
        </form>
      </Page>
    ),
  },
  {
    id: "text",
    component: "Page",
    label: 'width="text"',
    show: () => (
      <Page back={back} title={longText} intro={hindiText} width="text">
        <p>
          {longText}. {hindiText}. {longWord}
        </p>
      </Page>
    ),
  },
  {
    id: "rail",
    component: "Page",
    label: "actions, aside",
    show: () => (
      <Page
        back={back}
        title="A page with a rail"
        intro="The rail is below the content on phones."
        actions={<Button variant="secondary">Share</Button>}
        aside={
          <>
            <h2>Contact</h2>
            <p>{longWord}</p>
          </>
        }
      >
        <EmptyState drawing="map" title="The content">
          It takes the rest of the width.
        </EmptyState>
      </Page>
    ),
  },
  {
    id: "staff-list",
    component: "StaffList",
    label: "rows",
    show: () => <StaffListSample loaded={filled} />,
  },
  {
    id: "staff-list-empty",
    component: "StaffList",
    label: "empty",
    show: () => <StaffListSample loaded={none} />,
  },
  {
    id: "staff-list-failed",
    component: "StaffList",
    label: "problem",
    show: () => <StaffListSample loaded={failed} />,
  },
];

/** Returns a sample page, or null if no page has this id. */
export function findSamplePage(id: string | null) {
  return samplePages.find((page) => page.id === id) ?? null;
}

/** Lists the states of a component that fills a page, as links to them. */
export function listPageStates(component: "Page" | "StaffList"): State[] {
  return samplePages
    .filter((page) => page.component === component)
    .map(({ id, label }) => ({
      label,
      show: () => (
        <ButtonLink to={`/demo/components?page=${id}`} variant="secondary">
          Open page
        </ButtonLink>
      ),
    }));
}

export type SampleRow = {
  id: string;
  customer: string;
  service: string;
  days: number;
  isLate: boolean;
};

export const sampleRows: readonly SampleRow[] = [
  {
    id: "0b6f3a52-7f0e-4f0e-9f4e-6a1f6d1c2a10",
    customer: "Asha Verma",
    service: "Resume Review",
    days: 2,
    isLate: false,
  },
  {
    id: "4c1d9e77-2a35-4a0b-8a57-0c2f9d3b4e21",
    customer: hindiText,
    service: "Portfolio Review",
    days: 11,
    isLate: true,
  },
  {
    id: "9f8e7d6c-5b4a-4938-8271-605f4e3d2c1b",
    customer: longWord,
    service: longText,
    days: 140,
    isLate: false,
  },
];

export function buildSampleColumns(): Column<SampleRow>[] {
  return [
    { header: "ID", cell: ({ id }) => <ShortId>{id}</ShortId> },
    { header: "Customer", cell: ({ customer }) => customer },
    { header: "Service", cell: ({ service }) => service },
    {
      header: <SortHeader label="Days" direction="desc" to="?sort=days" />,
      label: "Days",
      align: "end",
      sorted: getAriaSort("desc"),
      cell: ({ days }) => days,
    },
    {
      header: "Status",
      cell: ({ isLate }) => (
        <Badge tone={isLate ? "warning" : "info"}>{isLate ? "Overdue" : "In review"}</Badge>
      ),
    },
    {
      header: <span className="sr-only">Actions</span>,
      cell: ({ id, customer }) => (
        <RowMenu id={id} label={`Actions for ${customer}`}>
          {() => (
            <button type="button" value={id}>
              Unassign
            </button>
          )}
        </RowMenu>
      ),
    },
  ];
}

const filled: LoadedList<SampleRow> = {
  problem: null,
  rows: [...sampleRows],
  previous: null,
  next: "next",
  total: { counted: 1000, isMore: true },
};
const none: LoadedList<SampleRow> = { ...filled, rows: [], next: null };
const failed: LoadedList<SampleRow> = { ...none, problem: "Failed to load the reviews" };

function StaffListSample({ loaded }: { loaded: LoadedList<SampleRow> }) {
  return (
    <StaffList
      back={back}
      title="A staff list"
      intro="The title, the filters, a table and the links to other pages."
      actions={<ListFilters filters={[]} />}
      loaded={loaded}
      columns={buildSampleColumns()}
      rowKey={({ id }) => id}
      empty={{ title: "No reviews yet", drawing: "inbox" }}
      after={null}
      address={() => "/demo/components?page=staff-list"}
    />
  );
}
