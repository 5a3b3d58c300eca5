import { Form, Link } from "react-router";
import { SubmitButton } from "../../ui/form/button.tsx";
import { Badge } from "../../ui/layout/card.tsx";
import { type Introduction, nameAndField } from "./rules.ts";

type Listed = Introduction & { reviewerId: string; name: string; isHidden: boolean };

/** For admins: what customers read of each reviewer, and the button that hides it. */
export function ShownNames({ introductions }: { introductions: Listed[] }) {
  return (
    <section className="shown-names" aria-labelledby="shown-names-title">
      <h2 id="shown-names-title">What customers read of them</h2>
      {introductions.length === 0 ? (
        <p>No reviewer has written anything about themselves yet.</p>
      ) : (
        <ul>
          {introductions.map((one) => (
            <ShownName key={one.reviewerId} introduction={one} />
          ))}
        </ul>
      )}
    </section>
  );
}

function ShownName({ introduction }: { introduction: Listed }) {
  const { reviewerId, name, about, isHidden } = introduction;
  return (
    <li>
      <div>
        <p className="shown-name">
          <strong>{nameAndField(introduction)}</strong>
          {isHidden && <Badge tone="warning">Hidden</Badge>}
        </p>
        {about && <p>{about}</p>}
        <p className="shown-name-whose">
          By <Link to={`/admin/users/${reviewerId}`}>{name}</Link>
        </p>
      </div>
      <Form method="post" preventScrollReset>
        <input type="hidden" name="reviewerId" value={reviewerId} />
        <SubmitButton
          name="intent"
          value={isHidden ? "show-reviewer" : "hide-reviewer"}
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
