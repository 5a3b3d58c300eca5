import { titled } from "../../ui/meta.ts";
import type { Route } from "./+types/own-jobs.screen.ts";
import { closesForm } from "./rules.ts";
import { manageJobsAction } from "./actions.server.ts";
import { loadManagedJobs } from "./read.server.ts";
import { JobManagement } from "./job-management.tsx";

const title = "Job Board Management";

export const meta: Route.MetaFunction = ({ matches }) => titled(matches, title);

/** The listings that somebody created themselves. */
export const loader = (asked: Route.LoaderArgs) => loadManagedJobs(asked, "own");
export const action = manageJobsAction;
export const shouldRevalidate = closesForm;

export default function OwnJobs({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <JobManagement
      title={title}
      path="/job-board"
      openLabel="Published Jobs"
      loaded={loaderData}
      refused={actionData}
    />
  );
}
