import { Form } from "react-router";
import { type StaffRole, staffRoleNames } from "../../accounts/roles.ts";
import { banLengths, longestBanReason } from "../../accounts/rules.ts";
import { FormDialog } from "../../ui/feedback/form-dialog.tsx";
import { ButtonLink, SubmitButton } from "../../ui/form/button.tsx";
import { SelectField, TextAreaField } from "../../ui/form/field.tsx";
import { Badge, Card } from "../../ui/layout/card.tsx";
import { Link } from "../../ui/link.tsx";
import { Fact } from "../parts.tsx";
import type { PersonView } from "./read-person.server.ts";

const roles: Record<StaffRole, { label: string; may: string }> = {
  god_admin: { label: "God admin", may: "Sees and changes everything here." },
  job_board_adder: { label: "Job-board adder", may: "Publishes jobs without a subscription." },
  reviewer: { label: "Reviewer", may: "Is assigned reviews, and does them." },
};

/** Each role: whether they have it, and the way to change that. */
export function RolesCard({ person }: { person: PersonView }) {
  const { isConfirmed, isLastGodAdmin } = person;
  return (
    <Card title="Roles">
      <ul className="roles">
        {staffRoleNames.map((role) => {
          const held = person.roles.find((one) => one.role === role);
          const { label, may } = roles[role];
          const isLast = role === "god_admin" && isLastGodAdmin;
          return (
            <li key={role}>
              <div>
                <p>
                  {label} {held && <Badge tone="success">Since {held.since}</Badge>}
                </p>
                <p className="text-ink-soft">
                  {isLast ? "The last god admin keeps this role until somebody else has it." : may}
                </p>
              </div>
              {held
                ? !isLast && (
                    <ButtonLink
                      to={`?revoke=${role}`}
                      variant="secondary"
                      size="sm"
                      replace
                      preventScrollReset
                    >
                      Take away <span className="sr-only">the role {label}</span>
                    </ButtonLink>
                  )
                : isConfirmed && <GrantRoleForm role={role} label={label} />}
            </li>
          );
        })}
      </ul>
      {!isConfirmed && (
        <p className="text-ink-soft">
          Their address is not confirmed yet: until it is, they have no roles and cannot sign in.
        </p>
      )}
    </Card>
  );
}

function GrantRoleForm({ role, label }: { role: StaffRole; label: string }) {
  return (
    <Form method="post" preventScrollReset>
      <input type="hidden" name="role" value={role} />
      <SubmitButton intent="grant-role" variant="secondary" size="sm" pendingLabel="Giving...">
        Give <span className="sr-only">the role {label}</span>
      </SubmitButton>
    </Form>
  );
}

/** Shows whether a person can sign in, and the way to change that. */
export function AccessCard({ person, sessions }: { person: PersonView; sessions: string }) {
  const { ban, isSelf, isConfirmed, isLastGodAdmin } = person;
  return (
    <Card
      title="Access"
      footer={
        <>
          <Form method="post" preventScrollReset>
            <SubmitButton
              intent="reset-password"
              variant="secondary"
              size="sm"
              pendingLabel="Sending..."
            >
              Reset Password
            </SubmitButton>
          </Form>
          {ban ? (
            <Form method="post" preventScrollReset>
              <SubmitButton intent="unban" variant="secondary" size="sm" pendingLabel="Lifting...">
                Lift the ban
              </SubmitButton>
            </Form>
          ) : (
            isConfirmed &&
            !isSelf &&
            !isLastGodAdmin && (
              <ButtonLink to="?ban" variant="danger" size="sm" replace preventScrollReset>
                Ban
              </ButtonLink>
            )
          )}
        </>
      }
    >
      <p>
        {ban ? <Badge tone="danger">Banned</Badge> : <Badge tone="success">Active</Badge>}{" "}
        {sessions}
      </p>
      {ban && (
        <dl className="facts">
          <Fact name="Until">{ban.until}</Fact>
          <Fact name="Since">{[ban.since, ban.by].filter(Boolean).join(", by ")}</Fact>
          <Fact name="Reason">{ban.reason}</Fact>
        </dl>
      )}
      {isSelf && (
        <p className="text-ink-soft">
          This is you. Nobody bans themselves: another god admin can do it.
        </p>
      )}
    </Card>
  );
}

/** Asks for the length and the reason of a ban. */
export function BanDialog({
  person,
  open,
  held,
}: {
  person: PersonView;
  open: boolean;
  /** The text from before the admin had to sign in again. */
  held: Record<string, string>;
}) {
  return (
    <FormDialog
      open={open && !person.ban && !person.isSelf}
      title={`Ban ${person.name}`}
      closed={`/admin/users/${person.id}`}
      intent="ban"
      submitLabel="Ban"
      pendingLabel="Banning..."
      variant="danger"
    >
      {({ errors, values }) => (
        <>
          <p className="mb-4">
            {person.email} is signed out everywhere at once, and reads the reason in a mail.
            {person.openReviews !== "0" && ` Their ${person.openReviews} open reviews stay theirs.`}
          </p>
          <SelectField
            label="For how long"
            name="days"
            defaultValue={values?.days ?? held.days ?? "7"}
            options={banLengths.map(({ days, label }) => ({ value: String(days), label }))}
            error={errors?.days}
          />
          <TextAreaField
            label="Reason"
            name="reason"
            rows={3}
            maxLength={longestBanReason}
            defaultValue={values?.reason ?? held.reason}
            error={errors?.reason}
            hint="In words to the person, who may answer the mail."
          />
        </>
      )}
    </FormDialog>
  );
}

/** Asks once before a role is taken away. */
export function RevokeDialog({ person, role }: { person: PersonView; role: string | null }) {
  const held = person.roles.find((one) => one.role === role)?.role;
  return (
    <FormDialog
      open={held !== undefined}
      title={held ? `Take away the role ${roles[held].label}` : ""}
      closed={`/admin/users/${person.id}`}
      intent="revoke-role"
      submitLabel="Take away"
      pendingLabel="Taking away..."
      variant="danger"
    >
      {held && (
        <>
          <input type="hidden" name="role" value={held} />
          <p>{describeRevocation(held, person)}</p>
          {held === "reviewer" && person.openReviews !== "0" && (
            <p>
              <Link to={`/admin/reviews/assigned?reviewer=${person.id}`}>
                Give their {person.openReviews} open reviews to somebody else
              </Link>
            </p>
          )}
        </>
      )}
    </FormDialog>
  );
}

function describeRevocation(role: StaffRole, { name, isSelf }: PersonView): string {
  if (role === "god_admin")
    return isSelf
      ? "This is your own role: these screens close for you at once, and only another god admin can give it back."
      : `These screens close for ${name} at once.`;
  if (role === "reviewer")
    return `${name} cannot open their reviews any more. Those that are open stay theirs until you assign them to somebody else.`;
  return `${name} cannot publish jobs any more, unless they have a subscription. Their jobs stay on the board.`;
}
