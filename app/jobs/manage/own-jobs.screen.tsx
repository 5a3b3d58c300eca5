import { titled } from "../../ui/title.ts";
import type { Route } from "./+types/own-jobs.screen.ts";
import { closesForm } from "./closes-form.ts";
import { doOnDesk } from "./desk-deeds.server.ts";
import { readDesk } from "./desk.server.ts";
import { JobDesk } from "./job-desk.tsx";

const title = "Job Board Management";

export const meta: Route.MetaFunction = ({ matches }) => titled(matches, title);

/** The listings that somebody created themselves. */
export const loader = (asked: Route.LoaderArgs) => readDesk(asked, "own");
export const action = (asked: Route.ActionArgs) => doOnDesk(asked);
export const shouldRevalidate = closesForm;

export default function OwnJobs({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <JobDesk
      title={title}
      path="/job-board"
      openLabel="Published Jobs"
      desk={loaderData}
      refused={actionData}
    />
  );
}
