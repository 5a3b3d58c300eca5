import { data, Form } from "react-router";
import { z } from "zod";
import { currentActor } from "../../accounts/actor.server.ts";
import { appContext } from "../../platform/app-context.server.ts";
import { day } from "../../platform/clock.ts";
import { readSparingly } from "../../platform/database.server.ts";
import {
  runCommand,
  createFormActions,
  createFormIntent,
  withFallback,
  buildSuccess,
} from "../../platform/forms.server.ts";
import { formatIndianNumber } from "../../platform/numbers.ts";
import { countNoun } from "../../platform/count-noun.ts";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { peopleDrawing } from "../../ui/feedback/people-drawing.tsx";
import { useProblemToasts } from "../../ui/feedback/problem-toasts.ts";
import { ButtonLink, SubmitButton } from "../../ui/form/button.tsx";
import { FormAlert } from "../../ui/form/field.tsx";
import { Badge } from "../../ui/layout/card.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { type Column, Table } from "../../ui/list/table.tsx";
import { Link } from "../../ui/link.tsx";
import { buildPrivateMeta } from "../../ui/meta.ts";
import { revalidateAfterRefusal } from "../../ui/refused-forms.ts";
import { hideReviewer, listIntroductions } from "../reviewer-profile/introductions.server.ts";
import { type Introduction, formatNameAndField } from "../reviewer-profile/introduction.ts";
import type { Route } from "./+types/reviewers.screen.ts";
import { listReviewerFigures } from "./rating.server.ts";
import { figuresFor } from "../rules.ts";
import { formatHours, formatShare } from "./rules.ts";
import * as introductionsStyles from "../reviewer-profile/introductions.module.css";
import * as tableStyles from "../../ui/list/table.module.css";

const title = "Reviewers";

export const meta: Route.MetaFunction = ({ matches }) => buildPrivateMeta(matches, title);

export async function loader({ context }: Route.LoaderArgs) {
  const { db, config } = context.get(appContext);
  const hasFees = config.reviewFees !== null;
  const actor = context.get(currentActor);
  const figures = () => readSparingly(db, "reviewers", () => listReviewerFigures(db, actor));
  const [outcome, introductions] = await Promise.all([
    runCommand(context, figures, { fallback: "Failed to load the reviewers" }),
    withFallback(context, () => listIntroductions(db, actor), []),
  ]);
  if (!outcome.ok)
    return data({ problem: outcome.message, rows: [], introductions, hasFees }, { status: 500 });
  const rows = outcome.value.map(
    ({ averageRating, ratings, completed, promised, onTime, medianHours, ...who }) => ({
      ...who,
      completed: formatIndianNumber(completed),
      rating: averageRating === null ? null : averageRating.toFixed(1),
      ratings: countNoun(ratings, "rating"),
      onTime: formatShare(onTime, promised),
      hours: medianHours === null ? null : formatHours(medianHours),
    }),
  );
  return data({ problem: null, rows, introductions, hasFees });
}

/** Builds the form that hides or shows an introduction. */
const buildHideForm = (hide: boolean) =>
  createFormIntent({
    schema: z.object({ reviewerId: z.string() }),
    run: ({ context, value: { reviewerId } }) =>
      hideReviewer(context.get(appContext).db, context.get(currentActor), { reviewerId, hide }),
    done: () => buildSuccess(hide ? "Hidden from customers" : "Shown to customers again"),
    failed: "Failed to change the introduction",
  });

export const action = createFormActions({
  "hide-reviewer": buildHideForm(true),
  "show-reviewer": buildHideForm(false),
});

export const shouldRevalidate = revalidateAfterRefusal;

export default function Reviewers({ loaderData }: Route.ComponentProps) {
  const { problem, rows, introductions, hasFees } = loaderData;
  useProblemToasts(loaderData, problem);
  return (
    <Page
      title={title}
      actions={
        hasFees && (
          <ButtonLink to="/admin/payouts" variant="secondary">
            Payouts
          </ButtonLink>
        )
      }
      intro={
        <p>
          Reviews completed in the last {figuresFor / day} days. “On time” means by the date
          promised at payment, even if a later one was set. Reviews without a date don't count.
          Figures update every minute.
        </p>
      }
    >
      <FormAlert>{problem}</FormAlert>
      {rows.length > 0 ? (
        <Table caption={title} columns={columns} rows={rows} rowKey={({ id }) => id} />
      ) : (
        !problem && <EmptyState title="Nobody is a reviewer yet" drawing={peopleDrawing} />
      )}
      <IntroductionList introductions={introductions} />
    </Page>
  );
}

type Row = Route.ComponentProps["loaderData"]["rows"][number];

const columns: Column<Row>[] = [
  {
    header: "Reviewer",
    cell: ({ id, name }) => (
      <Link to={`/admin/users/${id}`} className={tableStyles.person}>
        {name}
      </Link>
    ),
  },
  { header: "Completed", cell: ({ completed }) => completed },
  {
    header: "Average rating",
    cell: ({ rating, ratings }) =>
      rating ? (
        <>
          <strong>{rating}</strong> of 5, {ratings}
        </>
      ) : (
        "Not rated"
      ),
  },
  { header: "On time", cell: ({ onTime }) => onTime ?? "–" },
  { header: "Median time", cell: ({ hours }) => hours ?? "–" },
];

type Listed = Introduction & { reviewerId: string; name: string; isHidden: boolean };

/** Lists the reviewers' introductions for admins, each with a button that hides it. */
function IntroductionList({ introductions }: { introductions: Listed[] }) {
  return (
    <section className={introductionsStyles.shownNames} aria-labelledby="shown-names-title">
      <h2 id="shown-names-title">What customers read of them</h2>
      {introductions.length === 0 ? (
        <p>No reviewer has written anything about themselves yet.</p>
      ) : (
        <ul>
          {introductions.map((one) => (
            <IntroductionItem key={one.reviewerId} introduction={one} />
          ))}
        </ul>
      )}
    </section>
  );
}

function IntroductionItem({ introduction }: { introduction: Listed }) {
  const { reviewerId, name, about, isHidden } = introduction;
  return (
    <li>
      <div>
        <p className={introductionsStyles.shownName}>
          <strong>{formatNameAndField(introduction)}</strong>
          {isHidden && <Badge tone="outline">Hidden</Badge>}
        </p>
        {about && <p>{about}</p>}
        <p className={introductionsStyles.shownNameWhose}>
          By <Link to={`/admin/users/${reviewerId}`}>{name}</Link>
        </p>
      </div>
      <Form method="post" preventScrollReset>
        <input type="hidden" name="reviewerId" value={reviewerId} />
        <SubmitButton
          intent={isHidden ? "show-reviewer" : "hide-reviewer"}
          variant="secondary"
          size="sm"
          pendingLabel={isHidden ? "Showing..." : "Hiding..."}
        >
          {isHidden ? "Show" : "Hide"}
          <span className="sr-only"> what {name} wrote</span>
        </SubmitButton>
      </Form>
    </li>
  );
}
