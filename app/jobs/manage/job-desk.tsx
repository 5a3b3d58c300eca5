import { useEffect } from "react";
import { useNavigation, useSearchParams } from "react-router";
import type { FormProblems } from "../../platform/forms.server.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { FormAlert } from "../../ui/field.tsx";
import { useFocusFirstError } from "../../ui/form.tsx";
import { useInPage } from "../../ui/hydrated.ts";
import { Icon } from "../../ui/icon.tsx";
import { Page } from "../../ui/page.tsx";
import { TabLinks } from "../../ui/tabs.tsx";
import { showToast } from "../../ui/toasts.tsx";
import { DeleteForm } from "./delete-form.tsx";
import { DeskFilters } from "./desk-filters.tsx";
import { deskAddress, type DeskQuery, readDeskQuery } from "./desk-query.ts";
import type { readDesk } from "./desk.server.ts";
import { JobForm } from "./job-form.tsx";
import { Listings } from "./listings.tsx";

type Desk = Awaited<ReturnType<typeof readDesk>>["data"];

type JobDeskProps = {
  title: string;
  /** Of the screen: its tabs, filters and forms are queries behind it. */
  path: string;
  /** What the listings that are on the public board are called here. */
  openLabel: string;
  showsOwners?: boolean;
  desk: Desk;
  /** What the last form was refused for. */
  refused: FormProblems | undefined;
};

/** A screen of listings and everything that can be done to them. */
export function JobDesk({ title, path, openLabel, showsOwners, desk, refused }: JobDeskProps) {
  const [params] = useSearchParams();
  const query = readDeskQuery(params);
  const navigation = useNavigation();
  const form = openForm(desk, query);
  const isInPage = useInPage(form !== null);
  const hidesList = isInPage && form !== null;
  const address = (change: Partial<DeskQuery>) => deskAddress(path, { ...query, ...change });
  const closed = address({ form: null });
  useFocusFirstError(refused?.errors);
  useToldProblem(desk.problem);
  return (
    <Page
      title={title}
      actions={
        !hidesList && (
          <ButtonLink to={address({ form: { deed: "create" } })} preventScrollReset>
            <Icon name="plus" />
            Add New Job
          </ButtonLink>
        )
      }
    >
      {!hidesList && (
        <>
          <TabLinks
            label="Job listings"
            items={[false, true].map((isArchived) => ({
              label: isArchived ? "Archived Jobs" : openLabel,
              to: deskAddress(path, { ...query, isArchived, after: null, form: null }),
              current: query.isArchived === isArchived,
            }))}
          />
          <DeskFilters path={path} query={query} />
          <FormAlert>{desk.problem}</FormAlert>
          <Listings
            desk={desk}
            query={query}
            address={address}
            openLabel={openLabel}
            showsOwners={showsOwners}
            isBusy={navigation.location?.pathname === path}
          />
        </>
      )}
      <JobForm
        form={form?.deed === "delete" ? null : form}
        refused={refused}
        closed={closed}
        isInPage={isInPage}
      />
      <DeleteForm
        form={form?.deed === "delete" ? form : null}
        closed={closed}
        isInPage={isInPage}
      />
    </Page>
  );
}

/** Right after closing, the data still holds what the address no longer asks for. */
function openForm({ form }: Desk, { form: asked }: DeskQuery): Desk["form"] {
  if (!form || !asked || form.deed !== asked.deed) return null;
  return asked.deed === "create" || asked.id === form.id ? form : null;
}

function useToldProblem(problem: string | null) {
  useEffect(() => {
    if (problem) showToast({ kind: "error", title: problem });
  }, [problem]);
}
