import {
  Form,
  type ShouldRevalidateFunctionArgs,
  useLocation,
  useNavigate,
  useNavigation,
  useSearchParams,
  useSubmit,
} from "react-router";
import { countLabel } from "../../platform/lists/lists.ts";
import type { FormProblems } from "../../platform/forms.server.ts";
import type { OwnAddress, OwnPath } from "../../platform/own-path.ts";
import { Button, ButtonLink, SubmitButton } from "../../ui/form/button.tsx";
import { Dialog } from "../../ui/feedback/dialog.tsx";
import { FormAlert, SelectField, useFocusFirstError } from "../../ui/form/field.tsx";
import { Icon } from "../../ui/brand/icon.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { TabLinks } from "../../ui/layout/tabs.tsx";
import { byFilters, useFilterFormKey } from "../../ui/list/filtering.ts";
import { useProblemToasts } from "../../ui/feedback/problem-toasts.ts";
import { buildPrivateMeta } from "../../ui/meta.ts";
import { isPosting } from "../../ui/navigations.ts";
import { revalidateAfterRefusal } from "../../ui/refused-forms.ts";
import { sendFormWithTitles } from "../../ui/feedback/titled-forms.ts";
import { SearchInput } from "../board/board-filters.tsx";
import { jobTypes } from "../rules.ts";
import type { Route } from "./+types/job-management.screen.ts";
import { JobForm } from "./job-form.tsx";
import { loadManagedJobs, type ManageForm, manageJobsAction } from "./job-management.server.ts";
import { Listings } from "./listings.tsx";
import {
  blankJob,
  failedTitles,
  buildManageAddress,
  type ManageQuery,
  parseManageQuery,
} from "./rules.ts";
import * as dialogStyles from "../../ui/feedback/dialog.module.css";
import * as pageStyles from "../../ui/layout/page.module.css";
import * as listsStyles from "../../ui/list/lists.module.css";
import * as styles from "./manage.module.css";

/** The two screens of listings: a person's own, and all listings for admins. */
const boards = {
  "/job-board": { scope: "own", title: "Job Board Management", openLabel: "Published Jobs" },
  "/admin/jobs": { scope: "all", title: "Job Board", openLabel: "Active Jobs" },
} as const;

/** Returns the path of the current screen; each is a separate route. */
function getBoardPath({ pathname }: { pathname: string }): keyof typeof boards {
  return /^\/admin\//i.test(pathname) ? "/admin/jobs" : "/job-board";
}

export const meta: Route.MetaFunction = ({ matches, location }) =>
  buildPrivateMeta(matches, boards[getBoardPath(location)].title);

export const loader = (args: Route.LoaderArgs) =>
  loadManagedJobs(args, boards[getBoardPath(args.url)].scope);

export const action = manageJobsAction;

export const clientAction = (args: Route.ClientActionArgs) =>
  sendFormWithTitles(args, failedTitles);

/** Skips reloading when only a dialog closes. */
export function shouldRevalidate(args: ShouldRevalidateFunctionArgs): boolean {
  const { currentUrl, nextUrl, formMethod, defaultShouldRevalidate } = args;
  if (formMethod === "POST") return revalidateAfterRefusal(args);
  const [current, next] = [currentUrl, nextUrl].map((url) => parseManageQuery(url.searchParams));
  const list = (query = current) => buildManageAddress("", { ...query, form: null });
  return current?.form && !next?.form && list() === list(next) ? false : defaultShouldRevalidate;
}

/** A screen of listings with all actions on them. */
export default function JobManagement({
  loaderData: loaded,
  actionData: refused,
}: Route.ComponentProps) {
  const path = getBoardPath(useLocation());
  const { scope, title, openLabel } = boards[path];
  const [params] = useSearchParams();
  const query = parseManageQuery(params);
  const navigation = useNavigation();
  const form = findOpenForm(loaded, query) ?? findDeletedJobForm(query, refused);
  const address = (change: Partial<ManageQuery>) =>
    buildManageAddress(path, { ...query, ...change });
  const closed = address({ form: null });
  useFocusFirstError(refused?.errors);
  useProblemToasts(loaded, loaded.problem);
  return (
    <Page
      title={title}
      actions={
        <>
          {loaded.checks && (
            <ButtonLink
              to={`${path}/checks`}
              variant="secondary"
              className={dialogStyles.unlessInPage}
            >
              {loaded.checks.counted > 0 ? `Checks (${countLabel(loaded.checks)})` : "Checks"}
            </ButtonLink>
          )}
          {scope === "all" && (
            <>
              <ButtonLink to="/admin/jobs/reports" variant="secondary">
                Reports
              </ButtonLink>
              <ButtonLink to="/admin/jobs/details" variant="secondary">
                Proposed details
              </ButtonLink>
            </>
          )}
          <ButtonLink
            to={address({ form: { intent: "create" } })}
            className={dialogStyles.unlessInPage}
            preventScrollReset
          >
            <Icon name="plus" />
            Add New Job
          </ButtonLink>
        </>
      }
    >
      <div className={`${pageStyles.body} ${dialogStyles.unlessInPage}`}>
        <TabLinks
          label="Job listings"
          items={[false, true].map((isArchived) => ({
            label: isArchived ? "Archived Jobs" : openLabel,
            count: loaded.counts?.[isArchived ? "archived" : "open"],
            to: buildManageAddress(path, { ...query, isArchived, after: null, form: null }),
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
          showsOwners={scope === "all"}
          isBusy={navigation.location?.pathname === path}
        />
      </div>
      <JobForm form={form?.intent === "delete" ? null : form} refused={refused} closed={closed} />
      <DeleteForm form={form?.intent === "delete" ? form : null} closed={closed} />
    </Page>
  );
}

type Loaded = Route.ComponentProps["loaderData"];

/** Returns the loaded form only if the address still asks for it. After closing, the data is outdated. */
function findOpenForm({ form }: Loaded, { form: requested }: ManageQuery): Loaded["form"] {
  if (!form || !requested || form.intent !== requested.intent) return null;
  return requested.intent === "create" || requested.id === form.id ? form : null;
}

/** Returns a form with the typed text for a listing that was deleted in the meantime, so that it can be copied. */
function findDeletedJobForm(
  { form: requested }: ManageQuery,
  refused: FormProblems | undefined,
): Loaded["form"] {
  if (requested?.intent !== "edit" || requested.id !== refused?.values.id) return null;
  const { id, version } = refused.values;
  return { intent: "edit", id, version, warning: null, saved: blankJob, typed: {} };
}

/** Search and type, as on the public board, and a button that reloads the list. */
function ManageFilters({ path, query }: { path: OwnPath; query: ManageQuery }) {
  const submit = useSubmit();
  const navigation = { replace: true, preventScrollReset: true, state: byFilters };
  return (
    <search aria-label="Job listings">
      <Form key={useFilterFormKey()} action={path} className={listsStyles.filters} {...navigation}>
        {query.isArchived && <input type="hidden" name="tab" value="archived" />}
        <div className={styles.search}>
          <SearchInput defaultValue={query.search} />
          <Button
            type="submit"
            variant="secondary"
            className={styles.searchButton}
            aria-label="Search"
          >
            <Icon name="search" />
          </Button>
        </div>
        <SelectField
          label={<span className="sr-only">Job Type</span>}
          name="type"
          defaultValue={query.type ?? ""}
          onChange={({ target }) => target.form && void submit(target.form, navigation)}
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

/** Asks for confirmation before a listing is deleted. */
function DeleteForm({
  form,
  closed,
}: {
  form: Extract<ManageForm, { intent: "delete" }> | null;
  closed: OwnAddress;
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
          Delete permanently
        </SubmitButton>
      }
    >
      {form && (
        <Form method="post" id="delete-job" replace preventScrollReset>
          <input type="hidden" name="intent" value="delete-job" />
          <input type="hidden" name="id" value={form.id} />
          <p>
            This deletes “{form.title}” at {form.company}, and links to it stop working.
            {!form.isArchived &&
              " To take it off the public board temporarily, archive it instead."}
          </p>
        </Form>
      )}
    </Dialog>
  );
}
