import { data, useLocation, useSearchParams } from "react-router";
import { currentActor } from "../../accounts/actor.server.ts";
import { listOwnQuestions } from "../../annotations/follow-up/questions.server.ts";
import { formatShortDate } from "../../platform/clock.ts";
import { runCommand } from "../../platform/forms.server.ts";
import { appContext } from "../../platform/app-context.server.ts";
import { truncateToCharacters } from "../../platform/text/cut-text.ts";
import { Icon } from "../../ui/brand/icon.tsx";
import { useRevalidateOnReturn } from "../../ui/coming-back.ts";
import { ButtonLink } from "../../ui/form/button.tsx";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { TabLinks } from "../../ui/layout/tabs.tsx";
import { Link } from "../../ui/link.tsx";
import { buildPrivateMeta } from "../../ui/meta.ts";
import { DueDate } from "../../reviews/due-dates/due-date.tsx";
import type { DueView } from "../../reviews/due-dates/due-dates.ts";
import { getServiceLabel } from "../../reviews/rules.ts";
import type { Route } from "./+types/dashboard.screen.ts";
import { AssignmentCards, SortButtons } from "./assignment-cards.tsx";
import { type CardFacts, listCardFacts } from "./card-facts.server.ts";
import {
  buildAssignmentsAddress,
  type AssignmentsQuery,
  cardsPerPage,
  readAssignmentsQuery,
  buildMoreQuery,
} from "./dashboard-query.ts";
import { listOwnAssignments, type OwnAssignment } from "./find.server.ts";
import { OwnQuestions, type WaitingQuestion } from "./own-questions.tsx";
import * as styles from "./dashboard.module.css";

const title = "Reviewer Dashboard";

export const meta: Route.MetaFunction = ({ matches }) => buildPrivateMeta(matches, title);

export async function loader({ request, context }: Route.LoaderArgs) {
  const actor = context.get(currentActor);
  if (!actor) return buildDashboardProblem(401, "User authentication error");
  const query = readAssignmentsQuery(new URL(request.url).searchParams);
  const read = await runCommand(
    context,
    async () => {
      const { db } = context.get(appContext);
      const [own, questions] = await Promise.all([
        listOwnAssignments(db, actor, query),
        listOwnQuestions(db, actor),
      ]);
      const ids = own.assignments.map(({ reviewId }) => reviewId);
      return { ...own, questions, facts: await listCardFacts(db, actor, ids) };
    },
    {
      fallback: "Failed to load review assignments. Please try again later.",
    },
  );
  if (!read.ok) return buildDashboardProblem(500, read.message);
  const { assignments, urgent, questions, facts, ...list } = read.value;
  return data({
    ...list,
    problem: null,
    hasFees: context.get(appContext).config.reviewFees !== null,
    urgent: urgent && {
      reviewId: urgent.reviewId,
      service: getServiceLabel(urgent.serviceType),
      due: urgent.due,
    },
    questions: questions.map(toWaitingQuestion),
    cards: assignments.map((one) => ({
      ...toAssignmentCard(one, query.tab),
      ...(facts.get(one.reviewId) ?? noFacts),
    })),
  });
}

function buildDashboardProblem(status: number, message: string) {
  const nothing = {
    cards: [],
    next: null,
    counts: null,
    urgent: null,
    questions: [],
    hasFees: false,
  };
  return data({ ...nothing, problem: message }, { status });
}

/** For a review whose customer closed their account. */
const noFacts: CardFacts = { targetRole: null, pageCount: 0, cover: null };

type OwnQuestion = Awaited<ReturnType<typeof listOwnQuestions>>[number];

function toWaitingQuestion({ serviceType, question, ...rest }: OwnQuestion) {
  const line = question.replace(/\s+/g, " ");
  const start = truncateToCharacters(line, 100);
  const waiting: WaitingQuestion = {
    ...rest,
    service: getServiceLabel(serviceType),
    start: start === line ? line : `${start}…`,
  };
  return waiting;
}

/** Formats an assignment. Dates are formatted on the server, since the browser's time zone may differ. */
function toAssignmentCard(assignment: OwnAssignment, tab: AssignmentsQuery["tab"]) {
  const { reviewId, serviceType, status, priority, assignedAt, completedAt, due, hasDraft } =
    assignment;
  const date = tab === "completed" ? completedAt : assignedAt;
  return {
    reviewId,
    service: getServiceLabel(serviceType),
    status,
    priority,
    hasDraft,
    isOpen: tab === "pending",
    when: `${tab === "completed" ? "Completed" : "Assigned"} on ${date ? formatShortDate(date) : "Unknown date"}`,
    due,
  };
}

export default function Dashboard({ loaderData }: Route.ComponentProps) {
  const [params] = useSearchParams();
  const query = readAssignmentsQuery(params);
  useRevalidateOnReturn();
  const first = { ...query, after: null, show: cardsPerPage };
  return (
    <Page
      title={title}
      actions={
        <>
          {loaderData.hasFees && (
            <ButtonLink to="/reviewer/earnings" variant="ghost" prefetch="intent">
              Earnings
            </ButtonLink>
          )}
          <ButtonLink to="/reviewer/about-you" variant="ghost" prefetch="intent">
            <Icon name="user" />
            About you
          </ButtonLink>
        </>
      }
    >
      {query.tab === "pending" && loaderData.urgent && <NextReview {...loaderData.urgent} />}
      <OwnQuestions questions={loaderData.questions} />
      <TabLinks
        label="Assignments"
        items={[
          {
            label: "Pending Reviews",
            to: buildAssignmentsAddress({ ...first, tab: "pending" }),
            current: query.tab === "pending",
            count: loaderData.counts?.pending,
          },
          {
            label: "Completed Reviews",
            to: buildAssignmentsAddress({ ...first, tab: "completed" }),
            current: query.tab === "completed",
            count: loaderData.counts?.completed,
          },
        ]}
      />
      {loaderData.problem ? (
        <LoadProblem>{loaderData.problem}</LoadProblem>
      ) : loaderData.cards.length === 0 ? (
        <NoAssignments tab={query.tab} />
      ) : (
        <>
          <SortButtons query={query} />
          {query.after && (
            <Link to={buildAssignmentsAddress(first)} className={styles.next}>
              Back to the first
            </Link>
          )}
          <AssignmentCards cards={loaderData.cards} />
          {loaderData.next && <LoadMore query={query} next={loaderData.next} />}
        </>
      )}
    </Page>
  );
}

/** Leads to the open review that is due first. */
function NextReview({ reviewId, service, due }: NextReviewProps) {
  return (
    <p className={styles.nextReview}>
      <Link to={`/reviewer/submission/${reviewId}`}>
        Next: {service}
        <Icon name="arrow-right" />
      </Link>
      <DueDate due={due} />
    </p>
  );
}

type NextReviewProps = { reviewId: string; service: string; due: DueView | null };

function NoAssignments({ tab }: Pick<AssignmentsQuery, "tab">) {
  return tab === "pending" ? (
    <EmptyState title="No pending review assignments" drawing="table">
      When a review is assigned to you, it appears here and you get an email.
    </EmptyState>
  ) : (
    <EmptyState title="No completed review assignments" drawing="inbox">
      Reviews you submit appear here.
    </EmptyState>
  );
}

function LoadMore({ query, next }: { query: AssignmentsQuery; next: string }) {
  const more = buildMoreQuery(query, next);
  const stays = more.after === query.after;
  return (
    <ButtonLink
      to={buildAssignmentsAddress(more)}
      variant="secondary"
      preventScrollReset={stays}
      replace={stays}
    >
      Load more
    </ButtonLink>
  );
}

function LoadProblem({ children }: { children: string }) {
  const { pathname, search } = useLocation();
  return (
    <div role="alert">
      <EmptyState
        title={children}
        drawing="lost"
        action={
          <ButtonLink to={pathname + search} reloadDocument>
            Try again
          </ButtonLink>
        }
      />
    </div>
  );
}

export function ErrorBoundary() {
  return (
    <Page title={title}>
      <LoadProblem>An unexpected error occurred. Please try again later.</LoadProblem>
    </Page>
  );
}
