import { Form } from "react-router";
import { type StaffRole, staffRoleNames } from "../../accounts/roles.ts";
import { banLengths, maxBanReasonLength } from "../../accounts/rules.ts";
import { maxReasonLength } from "../../ui/form/decision-rules.ts";
import { FormDialog } from "../../ui/feedback/form-dialog.tsx";
import { ButtonLink, SubmitButton } from "../../ui/form/button.tsx";
import { Field, SelectField, TextAreaField } from "../../ui/form/field.tsx";
import { Badge, Card } from "../../ui/layout/card.tsx";
import { Link } from "../../ui/link.tsx";
import { Fact } from "../parts.tsx";
import type { PersonView } from "./read-person.server.ts";
import * as figuresStyles from "../figures.module.css";
import * as factsStyles from "../../ui/layout/facts.module.css";

const roles: Record<StaffRole, { label: string; about: string }> = {
  god_admin: { label: "God admin", about: "Can see and change everything here." },
  job_board_adder: { label: "Job-board adder", about: "Can publish jobs without a subscription." },
  reviewer: { label: "Reviewer", about: "Can complete the reviews assigned to them." },
};

/** Shows each role, with a button to give or remove it. */
export function RolesCard({ person }: { person: PersonView }) {
  const { isConfirmed, isLastGodAdmin } = person;
  return (
    <Card title="Roles">
      <ul className={figuresStyles.roles}>
        {staffRoleNames.map((role) => {
          const granted = person.roles.find((one) => one.role === role);
          const { label, about } = roles[role];
          const isLast = role === "god_admin" && isLastGodAdmin;
          return (
            <li key={role}>
              <div>
                <p>
                  {label} {granted && <Badge tone="success">Since {granted.since}</Badge>}
                </p>
                <p className="text-ink-soft">
                  {isLast
                    ? "You can't remove the last god admin. Give the role to another person first."
                    : about}
                </p>
              </div>
              {granted
                ? !isLast && (
                    <ButtonLink
                      to={`?revoke=${role}`}
                      variant="secondary"
                      size="sm"
                      replace
                      preventScrollReset
                    >
                      Remove <span className="sr-only">the role {label}</span>
                    </ButtonLink>
                  )
                : isConfirmed && <GrantRoleForm role={role} label={label} />}
            </li>
          );
        })}
      </ul>
      {!isConfirmed && (
        <p className="text-ink-soft">
          They haven&apos;t confirmed their email address, so they can&apos;t log in or have roles.
        </p>
      )}
    </Card>
  );
}

function GrantRoleForm({ role, label }: { role: StaffRole; label: string }) {
  return (
    <Form method="post" preventScrollReset>
      <input type="hidden" name="role" value={role} />
      <SubmitButton intent="grant-role" variant="secondary" size="sm" pendingLabel="Adding...">
        Add <span className="sr-only">the role {label}</span>
      </SubmitButton>
    </Form>
  );
}

/** Shows whether a person can log in, with buttons to change that. */
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
          {!isSelf && !person.roles.some(({ role }) => role === "god_admin") && (
            <ButtonLink to={`/admin/users/${person.id}/close`} variant="secondary" size="sm">
              Close account
            </ButtonLink>
          )}
        </>
      }
    >
      <p>
        {ban ? <Badge tone="danger">Banned</Badge> : <Badge tone="success">Active</Badge>}{" "}
        {sessions}
      </p>
      {ban && (
        <dl className={factsStyles.facts}>
          <Fact name="Until">{ban.until}</Fact>
          <Fact name="Since">{[ban.since, ban.by].filter(Boolean).join(", by ")}</Fact>
          <Fact name="Reason">{ban.reason}</Fact>
        </dl>
      )}
      {isSelf && (
        <p className="text-ink-soft">You can&apos;t ban your own account. Another god admin can.</p>
      )}
    </Card>
  );
}

/** Asks for the length and the reason of a ban. */
export function BanDialog({
  person,
  open,
  restored,
}: {
  person: PersonView;
  open: boolean;
  /** Values from before the admin had to sign in again. */
  restored: Record<string, string>;
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
            We&apos;ll sign {person.email} out everywhere and email them the reason.
            {person.openReviews !== "0" &&
              ` Their ${person.openReviews} open reviews stay assigned to them.`}
          </p>
          <SelectField
            label="Ban length"
            name="days"
            defaultValue={values?.days ?? restored.days ?? "7"}
            options={banLengths.map(({ days, label }) => ({ value: String(days), label }))}
            error={errors?.days}
          />
          <TextAreaField
            label="Reason"
            name="reason"
            rows={3}
            maxLength={maxBanReasonLength}
            defaultValue={values?.reason ?? restored.reason}
            error={errors?.reason}
            hint="We email this to the person, who can reply."
          />
        </>
      )}
    </FormDialog>
  );
}

/** Asks for the message in which a person asked for a copy of their data. */
export function ExportDialog({
  person,
  open,
  restored,
}: {
  person: PersonView;
  open: boolean;
  /** Values from before the admin had to sign in again. */
  restored: Record<string, string>;
}) {
  return (
    <FormDialog
      open={open && person.isConfirmed}
      title={`Export the data of ${person.name}`}
      closed={`/admin/users/${person.id}`}
      intent="export-data"
      submitLabel="Start export"
      pendingLabel="Starting..."
    >
      {({ errors, values }) => (
        <>
          <p className="mb-4">
            Only {person.email} can download the file. We&apos;ll email them now and when it&apos;s
            ready.
          </p>
          <Field
            label="Ticket number"
            name="ticket"
            required
            defaultValue={values?.ticket ?? restored.ticket}
            error={errors?.ticket}
            hint="The message in which they asked for their data."
          />
          <TextAreaField
            label="Reason"
            name="reason"
            rows={3}
            maxLength={maxReasonLength}
            defaultValue={values?.reason ?? restored.reason}
            error={errors?.reason}
            hint="It appears in the history."
          />
        </>
      )}
    </FormDialog>
  );
}

/** Asks for confirmation before removing a role. */
export function RevokeDialog({ person, role }: { person: PersonView; role: string | null }) {
  const revoked = person.roles.find((one) => one.role === role)?.role;
  return (
    <FormDialog
      open={revoked !== undefined}
      title={revoked ? `Remove the role ${roles[revoked].label}` : ""}
      closed={`/admin/users/${person.id}`}
      intent="revoke-role"
      submitLabel="Remove role"
      pendingLabel="Removing..."
      variant="danger"
    >
      {revoked && (
        <>
          <input type="hidden" name="role" value={revoked} />
          <p>{describeRevocation(revoked, person)}</p>
          {revoked === "reviewer" && person.openReviews !== "0" && (
            <p>
              <Link to={`/admin/reviews/assigned?reviewer=${person.id}`}>
                Reassign their {person.openReviews} open reviews
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
      ? "You'll lose access to these screens right away. Only another god admin can restore it."
      : `${name} will lose access to these screens right away.`;
  if (role === "reviewer")
    return `${name} will no longer be able to open reviews. Open reviews stay assigned to them until you reassign them.`;
  return `${name} will no longer be able to publish jobs without a subscription. Their jobs stay on the board.`;
}
