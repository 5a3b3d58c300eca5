import { Form } from "react-router";
import { ButtonLink, SubmitButton } from "../../ui/form/button.tsx";
import { Card } from "../../ui/layout/card.tsx";
import { unassignQuestion } from "./unassign-copy.ts";

/** Before any script: the question stands on a card in the page. */
export function UnassignQuestion({ reviewIds }: { reviewIds: string[] }) {
  if (reviewIds.length === 0) return null;
  return (
    <Card title="Unassign reviews">
      <Form method="post" className="grid gap-4">
        <p>{unassignQuestion(reviewIds.length)}</p>
        {reviewIds.map((id) => (
          <input key={id} type="hidden" name="review" value={id} />
        ))}
        <div className="flex flex-wrap gap-3">
          <SubmitButton
            name="intent"
            value="unassign"
            variant="danger"
            pendingLabel="Unassigning..."
          >
            Unassign
          </SubmitButton>
          <ButtonLink to="." variant="ghost">
            Cancel
          </ButtonLink>
        </div>
      </Form>
    </Card>
  );
}
