import { titled } from "../../ui/title.ts";
import type { Route } from "./+types/all-jobs.screen.ts";
import { closesForm } from "./closes-form.ts";
import { doOnDesk } from "./desk-deeds.server.ts";
import { readDesk } from "./desk.server.ts";
import { JobDesk } from "./job-desk.tsx";

const title = "Job Board";

export const meta: Route.MetaFunction = ({ matches }) => titled(matches, title);

/** Everybody's listings, for admins. */
export const loader = (asked: Route.LoaderArgs) => readDesk(asked, "all");
export const action = (asked: Route.ActionArgs) => doOnDesk(asked);
export const shouldRevalidate = closesForm;

export default function AllJobs({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <JobDesk
      title={title}
      path="/admin/jobs"
      openLabel="Active Jobs"
      showsOwners
      desk={loaderData}
      refused={actionData}
    />
  );
}
