import { useEffect } from "react";
import { Form, useNavigate, useNavigation, useSearchParams, useSubmit } from "react-router";
import type { FormProblems } from "../../platform/forms.server.ts";
import { Button, ButtonLink, SubmitButton } from "../../ui/form/button.tsx";
import { Dialog } from "../../ui/feedback/dialog.tsx";
import { FormAlert, SelectField, useFocusFirstError } from "../../ui/form/field.tsx";
import { useInPage } from "../../ui/hydrated.ts";
import { Icon } from "../../ui/brand/icon.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { TabLinks } from "../../ui/layout/tabs.tsx";
import { byFilters, useKeyOfOutside } from "../../ui/list/filtering.ts";
import { showToast } from "../../ui/feedback/toasts.tsx";
import { isPosting } from "../../ui/navigations.ts";
import { SearchInput } from "../board/board-filters.tsx";
import { jobTypes } from "../rules.ts";
import { manageAddress, type ManageQuery, readManageQuery } from "./rules.ts";
import type { loadManagedJobs, ManageForm } from "./read.server.ts";
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
              count: loaded.counts?.[isArchived ? "archived" : "open"],
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

/** Search and type, as on the public board, and the button that reads the list anew. */
function ManageFilters({ path, query }: { path: string; query: ManageQuery }) {
  const submit = useSubmit();
  const here = { replace: true, preventScrollReset: true, state: byFilters };
  return (
    <search aria-label="Job listings">
      <Form key={useKeyOfOutside()} action={path} className="flex flex-wrap gap-2" {...here}>
        {query.isArchived && <input type="hidden" name="tab" value="archived" />}
        <div className="flex min-w-0 flex-[1_1_16rem]">
          <SearchInput defaultValue={query.search} />
          <Button
            type="submit"
            variant="secondary"
            className="rounded-s-none border-s-0"
            aria-label="Search"
          >
            <Icon name="search" />
          </Button>
        </div>
        <SelectField
          label={<span className="sr-only">Job Type</span>}
          name="type"
          className="flex-[1_1_9rem] gap-0 sm:flex-none"
          defaultValue={query.type ?? ""}
          onChange={({ target }) => target.form && void submit(target.form, here)}
          options={[
            { value: "", label: "All" },
            ...jobTypes.map((type) => ({ value: type, label: type })),
          ]}
        />
        <Button type="submit" variant="secondary">
          Refresh
        </Button>
      </Form>
    </search>
  );
}

/** Asks once before a listing is deleted, and names it. */
function DeleteForm({
  form,
  closed,
}: {
  form: Extract<ManageForm, { intent: "delete" }> | null;
  closed: string;
}) {
  const navigate = useNavigate();
  const isDeleting = useNavigation().formMethod === "POST";
  return (
    <Dialog
      title="Delete this job listing?"
      open={form !== null}
      closed={closed}
      onClose={() => void navigate(closed, { replace: true, preventScrollReset: true })}
      isSending={() => isDeleting || isPosting()}
      leave="Keep it"
      submit={
        <SubmitButton form="delete-job" variant="danger" pendingLabel="Deleting...">
          Delete for good
        </SubmitButton>
      }
    >
      {form && (
        <Form method="post" id="delete-job" replace preventScrollReset>
          <input type="hidden" name="intent" value="delete-job" />
          <input type="hidden" name="id" value={form.id} />
          <p>
            “{form.title}” at {form.company} will be gone, and its address with it.
            {!form.isArchived &&
              " To take it off the public board for a while, archive it instead."}
          </p>
        </Form>
      )}
    </Dialog>
  );
}
