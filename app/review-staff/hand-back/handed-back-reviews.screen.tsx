import { getSignedInActor } from "../../accounts/actor.server.ts";
import { appContext } from "../../platform/app-context.server.ts";
import { DueCell } from "../../reviews/due-dates/due-date.tsx";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { BackLink } from "../../ui/layout/back-link.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { Link } from "../../ui/link.tsx";
import { type Column, Table } from "../../ui/list/table.tsx";
import { buildPrivateMeta } from "../../ui/meta.ts";
import type { Route } from "./+types/handed-back-reviews.screen.ts";
import { listHandedBackReviews } from "./drafts.server.ts";
import * as listsStyles from "../../ui/list/lists.module.css";

const title = "Handed back reviews";

export const meta: Route.MetaFunction = ({ matches }) => buildPrivateMeta(matches, title);

export async function loader({ context }: Route.LoaderArgs) {
  const { db } = context.get(appContext);
  return { reviews: await listHandedBackReviews(db, getSignedInActor(context)) };
}

export default function HandedBackReviews({ loaderData: { reviews } }: Route.ComponentProps) {
  return (
    <Page
      back={<BackLink to="/admin/reviews">Back to Pending Reviews</BackLink>}
      title={title}
      intro="Reviews that a reviewer couldn't finish, newest first. They are listed until they are completed."
    >
      {reviews.length === 0 ? (
        <EmptyState title="No handed back reviews" drawing="inbox">
          Reviewers can hand back a review if they are ill, know the author, or it is outside their
          field.
        </EmptyState>
      ) : (
        <Table caption={title} rows={reviews} rowKey={({ id }) => id} columns={columns} />
      )}
    </Page>
  );
}

type HandedBackRow = Route.ComponentProps["loaderData"]["reviews"][number];

const columns: Column<HandedBackRow>[] = [
  {
    header: "Review",
    wide: true,
    bare: true,
    cell: ({ id, service, former, handedBackOn }) => (
      <>
        <Link to={`/admin/reviews/handed-back/${id}`}>{service}</Link>
        <span className={listsStyles.preview}>{`From ${former}, ${handedBackOn}`}</span>
      </>
    ),
  },
  {
    header: "Reason",
    wide: true,
    cell: ({ reason, note }) => (
      <>
        {reason}
        {note && <span className={`${listsStyles.preview} wrap-anywhere`}>{note}</span>}
      </>
    ),
  },
  { header: "Due", cell: ({ due }) => <DueCell due={due} /> },
  {
    header: "Reviewer",
    cell: ({ reviewId, reviewer }) =>
      reviewer ?? <Link to={`/admin/reviews?search=${reviewId}`}>Assign</Link>,
  },
];
