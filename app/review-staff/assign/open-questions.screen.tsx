import { Form } from "react-router";
import { currentActor } from "../../accounts/actor.server.ts";
import { appContext } from "../../platform/app-context.server.ts";
import { createFormActions, type FormProblems } from "../../platform/forms.server.ts";
import { DueDate } from "../../reviews/due-dates/due-date.tsx";
import { getServiceLabel } from "../../reviews/rules.ts";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { SubmitButton } from "../../ui/form/button.tsx";
import { FormAlert, useFocusFirstError } from "../../ui/form/field.tsx";
import { BackLink } from "../../ui/layout/back-link.tsx";
import { Badge } from "../../ui/layout/card.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { type Column, Table } from "../../ui/list/table.tsx";
import { Link } from "../../ui/link.tsx";
import { buildPrivateMeta } from "../../ui/meta.ts";
import { revalidateAfterRefusal } from "../../ui/refused-forms.ts";
import type { Route } from "./+types/open-questions.screen.ts";
import { assignQuestionForm, listOpenQuestions } from "./assign-question.server.ts";
import { type Assignee, keepWished, listAssignees } from "./assignees.server.ts";
import { ReviewerField } from "./reviewer-field.tsx";
import * as listsStyles from "../../ui/list/lists.module.css";

const title = "Customers' questions";

export const meta: Route.MetaFunction = ({ matches }) => buildPrivateMeta(matches, title);

export async function loader({ context }: Route.LoaderArgs) {
  const { db } = context.get(appContext);
  const actor = context.get(currentActor);
  const [questions, assignees] = await Promise.all([
    listOpenQuestions(db, actor),
    listAssignees(db, actor),
  ]);
  return { questions, assignees: keepWished(assignees, []) };
}

export const action = createFormActions({ "assign-question": assignQuestionForm });

export const shouldRevalidate = revalidateAfterRefusal;

export default function OpenQuestions({ loaderData, actionData }: Route.ComponentProps) {
  const { questions, assignees } = loaderData;
  const refused = actionData && "errors" in actionData ? actionData : null;
  useFocusFirstError(refused?.errors);
  return (
    <Page
      back={<BackLink to="/admin/reviews/completed">Back to Completed Reviews</BackLink>}
      title={title}
      intro="Questions about completed reviews that have no answer yet, the first due one first. Another reviewer can answer, and sees what was saved as an answer."
    >
      <FormAlert>{refused?.errors[""]}</FormAlert>
      {questions.length === 0 ? (
        <EmptyState title="No open questions" drawing="inbox">
          Customers can ask one question in the week after their review.
        </EmptyState>
      ) : (
        <Table
          caption={title}
          rows={questions}
          rowKey={({ reviewId }) => reviewId}
          columns={buildQuestionColumns(assignees, refused)}
        />
      )}
    </Page>
  );
}

type QuestionRow = Route.ComponentProps["loaderData"]["questions"][number];

function buildQuestionColumns(
  assignees: readonly Assignee[],
  refused: FormProblems | null,
): Column<QuestionRow>[] {
  return [
    {
      header: "Review",
      wide: true,
      bare: true,
      cell: ({ reviewId, serviceType, customer, question }) => (
        <>
          <Link to={`/admin/reviews/${reviewId}/remarks`}>{getServiceLabel(serviceType)}</Link>
          <span className={listsStyles.preview}>{customer}</span>
          <span className={`${listsStyles.preview} wrap-anywhere`}>{question}</span>
        </>
      ),
    },
    { header: "Due", cell: ({ due }) => <DueDate due={due} /> },
    {
      header: "Reviewer",
      cell: ({ reviewer, canAnswer }) => (
        <>
          {reviewer} {!canAnswer && <Badge tone="danger">Can&apos;t answer</Badge>}
        </>
      ),
    },
    {
      header: "Another reviewer",
      wide: true,
      cell: ({ reviewId }) => (
        <QuestionMoveForm
          reviewId={reviewId}
          assignees={assignees}
          refused={refused?.values.reviewId === reviewId ? refused : null}
        />
      ),
    },
  ];
}

function QuestionMoveForm({
  reviewId,
  assignees,
  refused,
}: {
  reviewId: string;
  assignees: readonly Assignee[];
  refused: FormProblems | null;
}) {
  return (
    <Form method="post" preventScrollReset className="row">
      <input type="hidden" name="reviewId" value={reviewId} />
      <ReviewerField assignees={assignees} error={refused?.errors.reviewer} label="New reviewer" />
      <SubmitButton intent="assign-question" variant="secondary" size="sm" pendingLabel="Moving...">
        Move the question
      </SubmitButton>
    </Form>
  );
}
