import { titled } from "../../ui/meta.ts";
import type { Route } from "./+types/all-jobs.screen.ts";
import { closesForm } from "./rules.ts";
import { manageJobsAction } from "./actions.server.ts";
import { loadManagedJobs } from "./read.server.ts";
import { JobManagement } from "./job-management.tsx";

const title = "Job Board";

export const meta: Route.MetaFunction = ({ matches }) => titled(matches, title);

/** Everybody's listings, for admins. */
export const loader = (asked: Route.LoaderArgs) => loadManagedJobs(asked, "all");
export const action = manageJobsAction;
export const shouldRevalidate = closesForm;

export default function AllJobs({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <JobManagement
      title={title}
      path="/admin/jobs"
      openLabel="Active Jobs"
      showsOwners
      loaded={loaderData}
      refused={actionData}
    />
  );
}
