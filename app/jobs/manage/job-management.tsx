import { useEffect } from "react";
import { useNavigation, useSearchParams } from "react-router";
import type { FormProblems } from "../../platform/forms.server.ts";
import { ButtonLink } from "../../ui/form/button.tsx";
import { FormAlert, useFocusFirstError } from "../../ui/form/field.tsx";
import { useInPage } from "../../ui/hydrated.ts";
import { Icon } from "../../ui/brand/icon.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { TabLinks } from "../../ui/layout/tabs.tsx";
import { showToast } from "../../ui/feedback/toasts.tsx";
import { DeleteForm } from "./delete-form.tsx";
import { ManageFilters } from "./filters.tsx";
import { manageAddress, type ManageQuery, readManageQuery } from "./query.ts";
import type { loadManagedJobs } from "./list-managed-jobs.server.ts";
import { JobForm } from "./job-form.tsx";
import { Listings } from "./listings.tsx";

type Loaded = Awaited<ReturnType<typeof loadManagedJobs>>["data"];

type JobManagementProps = {
  title: string;
  /** Of the screen: its tabs, filters and forms are queries behind it. */
  path: string;
  /** What the listings that are on the public board are called here. */
  openLabel: string;
  showsOwners?: boolean;
  loaded: Loaded;
  /** What the last form was refused for. */
  refused: FormProblems | undefined;
};

/** A screen of listings and everything that can be done to them. */
export function JobManagement({
  title,
  path,
  openLabel,
  showsOwners,
  loaded,
  refused,
}: JobManagementProps) {
  const [params] = useSearchParams();
  const query = readManageQuery(params);
  const navigation = useNavigation();
  const form = openForm(loaded, query);
  const hidesList = useInPage(form !== null) && form !== null;
  const address = (change: Partial<ManageQuery>) => manageAddress(path, { ...query, ...change });
  const closed = address({ form: null });
  useFocusFirstError(refused?.errors);
  useProblemToast(loaded.problem);
  return (
    <Page
      title={title}
      actions={
        !hidesList && (
          <ButtonLink to={address({ form: { intent: "create" } })} preventScrollReset>
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
              to: manageAddress(path, { ...query, isArchived, after: null, form: null }),
              current: query.isArchived === isArchived,
            }))}
          />
          <ManageFilters path={path} query={query} />
          <FormAlert>{loaded.problem}</FormAlert>
          <Listings
            loaded={loaded}
            query={query}
            address={address}
            openLabel={openLabel}
            showsOwners={showsOwners}
            isBusy={navigation.location?.pathname === path}
          />
        </>
      )}
      <JobForm form={form?.intent === "delete" ? null : form} refused={refused} closed={closed} />
      <DeleteForm form={form?.intent === "delete" ? form : null} closed={closed} />
    </Page>
  );
}

/** Right after closing, the data still holds what the address no longer asks for. */
function openForm({ form }: Loaded, { form: asked }: ManageQuery): Loaded["form"] {
  if (!form || !asked || form.intent !== asked.intent) return null;
  return asked.intent === "create" || asked.id === form.id ? form : null;
}

function useProblemToast(problem: string | null) {
  useEffect(() => {
    if (problem) showToast({ kind: "error", title: problem });
  }, [problem]);
}
