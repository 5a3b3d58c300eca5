import { data, type RouterContextProvider, useSearchParams } from "react-router";
import { z } from "zod";
import { type Actor, currentActor } from "../../accounts/actor.server.ts";
import { appContext } from "../../platform/app-context.server.ts";
import { formatShortDate } from "../../platform/clock.ts";
import type { Database } from "../../platform/database.server.ts";
import {
  runCommand,
  buildFailureToast,
  createFormActions,
  createFormIntent,
  buildSuccess,
} from "../../platform/forms.server.ts";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { useProblemToasts } from "../../ui/feedback/problem-toasts.ts";
import { RowMenu } from "../../ui/list/row-menu.tsx";
import { type Column, Table } from "../../ui/list/table.tsx";
import { Link } from "../../ui/link.tsx";
import { buildPrivateMeta } from "../../ui/meta.ts";
import { revalidateAfterRefusal } from "../../ui/refused-forms.ts";
import { sendFormWithTitles } from "../../ui/feedback/titled-forms.ts";
import { countReviews } from "../assign/lists.server.ts";
import {
  ReviewItems,
  idColumn,
  NoMatches,
  noReviews,
  resourceColumn,
  ReviewsFrame,
  ReviewsPager,
  typeColumn,
  useMissingReview,
  userNameColumn,
} from "../assign/reviews-list.tsx";
import {
  readReviewsQuery,
  buildReviewsAddress,
  type ReviewsQuery,
} from "../assign/reviews-query.ts";
import { answerQuestion } from "../../annotations/answers/answers.server.ts";
import type { Route } from "./+types/completed-reviews.screen.ts";
import {
  listCompletedReviews,
  listReviewFiles,
  listReviewImages,
  getBriefAndRating,
  findCompletedReview,
} from "./completed-reviews.server.ts";
import { EditReviewDialog } from "./edit-review-dialog.tsx";
import { addImage, deleteImage, updateImage, updateReview } from "./edit-review.server.ts";
import * as buttonStyles from "../../ui/form/button.module.css";
import * as listsStyles from "../../ui/list/lists.module.css";
import * as tableStyles from "../../ui/list/table.module.css";

export const meta: Route.MetaFunction = ({ matches }) =>
  buildPrivateMeta(matches, "Completed Reviews");

export async function loader({ request, context }: Route.LoaderArgs) {
  const { db } = context.get(appContext);
  const actor = context.get(currentActor);
  const query = readReviewsQuery(new URL(request.url).searchParams);
  const [list, edited] = await Promise.all([
    runCommand(
      context,
      async () => ({
        ...(await listCompletedReviews(db, actor, query)),
        counts: await countReviews(db, actor),
      }),
      { fallback: "Failed to load completed reviews" },
    ),
    loadEditedReview(context, query.dialog?.id ?? null),
  ]);
  const { rows, ...beside } = list.ok ? list.value : noReviews;
  return data(
    {
      ...beside,
      rows: rows.map(({ completedAt, ...row }) => ({
        ...row,
        completed: formatShortDate(completedAt),
      })),
      problem: list.ok ? null : list.message,
      ...edited,
    },
    { status: list.ok ? 200 : 500 },
  );
}

/** Loads the content of the dialog; its parts fail separately. */
async function loadEditedReview(context: Readonly<RouterContextProvider>, id: string | null) {
  if (!id) return { edited: null, problems: [] };
  const { db } = context.get(appContext);
  const actor = context.get(currentActor);
  const [review, images, files, beside] = await Promise.all([
    runCommand(context, () => findCompletedReview(db, actor, id), {
      fallback: "Failed to load completed review details",
    }),
    runCommand(context, () => listReviewImages(db, actor, id), {
      fallback: "Failed to load review images",
    }),
    runCommand(context, () => listReviewFiles(db, actor, id), {
      fallback: "Failed to load review files",
    }),
    runCommand(context, () => getBriefAndRating(db, actor, id), {
      fallback: "Failed to load the brief and the rating",
    }),
  ]);
  const problems = [review, images, files, beside].flatMap((part) =>
    part.ok ? [] : [part.message],
  );
  if (!review.ok || !review.value) return { edited: null, problems };
  return {
    edited: {
      review: review.value,
      images: images.ok ? images.value : [],
      files: files.ok ? files.value : [],
      ...(beside.ok ? beside.value : { brief: null, rating: null }),
    },
    problems,
  };
}

const text = z.string().catch("");
const schema = z.object({
  reviewId: text,
  // The command rejects -1, which replaces anything but a number.
  priority: z.string().trim().min(1).pipe(z.coerce.number()).catch(-1),
  feedback: text,
  version: text,
  id: text,
  imageUrl: text,
  annotation: text,
  position: z.coerce.number().catch(0),
  answer: text,
  seen: text,
});

type Command = (
  db: Database,
  actor: Actor | null,
  fields: z.output<typeof schema>,
) => Promise<unknown>;

const buildImageForm = (command: Command, copy: { done: string; failed: string }) =>
  createFormIntent({
    schema,
    run: ({ context, value }) =>
      command(context.get(appContext).db, context.get(currentActor), value),
    done: () => buildSuccess(copy.done),
    // An error of the address is shown at its field.
    failed: ({ message, refusal }) => ({
      toast: buildFailureToast(copy.failed, refusal.data.errors.imageUrl ? copy.failed : message),
      data: refusal,
    }),
  });

const failed = {
  "add-image": "Failed to add image",
  "update-image": "Failed to update image",
  "delete-image": "Failed to delete image",
  answer: "Failed to update answer",
  "": "Failed to update review",
};

export const action = createFormActions({
  "add-image": buildImageForm(addImage, {
    done: "Image added successfully",
    failed: failed["add-image"],
  }),
  "update-image": buildImageForm(updateImage, {
    done: "Image updated successfully",
    failed: failed["update-image"],
  }),
  "delete-image": buildImageForm(deleteImage, {
    done: "Image deleted successfully",
    failed: failed["delete-image"],
  }),
  answer: buildImageForm(answerQuestion, {
    done: "Answer updated successfully",
    failed: failed.answer,
  }),
  "": buildImageForm(updateReview, {
    done: "Review updated successfully",
    failed: failed[""],
  }),
});

export const clientAction = (args: Route.ClientActionArgs) => sendFormWithTitles(args, failed);

export const shouldRevalidate = revalidateAfterRefusal;

export default function CompletedReviews({ loaderData }: Route.ComponentProps) {
  const [params] = useSearchParams();
  const query = readReviewsQuery(params);
  const { rows, counts, problem, problems, edited, ...page } = loaderData;
  useProblemToasts(loaderData, problem, ...problems);
  useMissingReview(query.dialog !== null && !edited && problems.length === 0);
  return (
    <ReviewsFrame tab="completed" query={query} counts={counts} filters={[]} problem={problem}>
      {rows.length > 0 ? (
        <>
          <Table
            caption="Completed reviews"
            columns={buildCompletedColumns(query)}
            rows={rows}
            rowKey={({ id }) => id}
          />
          <ReviewsPager {...page} rowCount={rows.length} query={query} />
        </>
      ) : (
        !problem &&
        (query.search ? (
          <NoMatches query={query} />
        ) : (
          <EmptyState title="No completed reviews" drawing="inbox" />
        ))
      )}
      <EditReviewDialog edited={edited} closed={buildReviewsAddress({ ...query, dialog: null })} />
    </ReviewsFrame>
  );
}

type CompletedRow = Route.ComponentProps["loaderData"]["rows"][number];

function buildCompletedColumns(query: ReviewsQuery): Column<CompletedRow>[] {
  return [
    idColumn,
    typeColumn,
    userNameColumn,
    resourceColumn,
    {
      header: "Reviewer",
      phone: 4,
      cell: ({ reviewerName }) => <span className={tableStyles.person}>{reviewerName}</span>,
    },
    {
      header: "Completed Date",
      phone: 3,
      cell: ({ completed }) => <span className="whitespace-nowrap">{completed}</span>,
    },
    {
      header: "Feedback",
      wide: true,
      bare: true,
      cell: ({ preview }) => <span className={listsStyles.preview}>{preview}</span>,
    },
    {
      header: <span className="sr-only">Actions</span>,
      cell: ({ id, secondLookOf, userId }) => (
        <div className={listsStyles.rowActions}>
          <Link
            to={buildReviewsAddress({ ...query, dialog: { name: "edit", id } })}
            className={`${buttonStyles.button} ${buttonStyles.secondary} ${buttonStyles.sm}`}
            aria-description={`Review ${id}`}
            replace
            preventScrollReset
          >
            Edit
          </Link>
          <RowMenu id={id} label={`Actions for review ${id}`}>
            {() => <ReviewItems {...{ id, userId, secondLookOf }} />}
          </RowMenu>
        </div>
      ),
    },
  ];
}
