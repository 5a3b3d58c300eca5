import { Form } from "react-router";
import { z } from "zod";
import { type Actor, currentActor, getSignedInActor } from "../../accounts/actor.server.ts";
import { requireSignIn } from "../../accounts/guards.server.ts";
import { restoreInterruptedForm } from "../../accounts/interrupted-forms.server.ts";
import { type AppContext, appContext } from "../../platform/app-context.server.ts";
import { formatShortDate } from "../../platform/clock.ts";
import {
  buildSuccess,
  createFormActions,
  createFormIntent,
  showReasonAboveForm,
  showReasonAsToast,
} from "../../platform/forms.server.ts";
import { countTry } from "../../platform/rate-limit.server.ts";
import { redirect } from "../../platform/redirect.server.ts";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { ButtonLink, SubmitButton } from "../../ui/form/button.tsx";
import { Field, FormAlert, useFocusFirstError } from "../../ui/form/field.tsx";
import { BackLink } from "../../ui/layout/back-link.tsx";
import { Badge, Card } from "../../ui/layout/card.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { Link } from "../../ui/link.tsx";
import { buildPrivateMeta } from "../../ui/meta.ts";
import { revalidateAfterRefusal } from "../../ui/refused-forms.ts";
import { maxLengths, maxMembers, maxWorkMails, roleLabels } from "../rules.ts";
import type { Route } from "./+types/team.screen.ts";
import {
  invitationForm,
  sendInvitation,
  revokeOwnMembership,
  assignOwner,
  removeMember,
  withdrawInvitation,
} from "./change-team.server.tsx";
import { listTeams } from "./list-teams.server.ts";
import stylesheet from "./team.screen.css?url";
import * as ownThingsStyles from "../../accounts/own-things.module.css";
import * as formStyles from "../../ui/form/stacked-form.module.css";
import * as styles from "./team.module.css";

const title = "Your team";

export const middleware = [requireSignIn];

export const meta: Route.MetaFunction = ({ matches }) => buildPrivateMeta(matches, title);

export const headers = () => ({ "Cache-Control": "private, no-store" });

export async function loader({ request, context }: Route.LoaderArgs) {
  const { db } = context.get(appContext);
  const teams = await listTeams(db, getSignedInActor(context));
  return {
    teams: teams.map(({ members, invitations, ...company }) => ({
      ...company,
      members: members.map(({ since, name, ...member }) => ({
        ...member,
        name: name?.trim() || "Unnamed User",
        since: since && formatShortDate(since),
      })),
      invitations: invitations.map(({ invitedAt, ...invitation }) => ({
        ...invitation,
        invited: formatShortDate(invitedAt),
      })),
    })),
    typed: await restoreInterruptedForm(context, request),
  };
}

const inTeam = z.object({ companyId: z.string(), id: z.string() });

/** The forms about a member or an invitation. */
const createTeamIntent = (
  run: (db: AppContext["db"], actor: Actor | null, one: z.output<typeof inTeam>) => Promise<void>,
  done: string,
) =>
  createFormIntent({
    schema: inTeam,
    run: ({ context, value }) => run(context.get(appContext).db, context.get(currentActor), value),
    done: () => buildSuccess(done),
    failed: showReasonAsToast,
  });

export const action = createFormActions({
  "invite-member": createFormIntent({
    schema: invitationForm,
    async run({ context, value }) {
      const { db, config } = context.get(appContext);
      const actor = getSignedInActor(context);
      await countTry({ db, config }, maxWorkMails, actor.id);
      await sendInvitation(db, actor, config, value);
    },
    done: () => buildSuccess("Invitation sent. An address gets at most one email an hour."),
    failed: showReasonAboveForm("We couldn't invite this person"),
  }),
  "withdraw-invitation": createTeamIntent(withdrawInvitation, "Invitation withdrawn"),
  "remove-member": createTeamIntent(removeMember, "Member removed"),
  "make-owner": createTeamIntent(assignOwner, "They're an owner now"),
  "leave-company": createFormIntent({
    schema: z.object({ companyId: z.string() }),
    run: ({ context, value: { companyId } }) =>
      revokeOwnMembership(context.get(appContext).db, context.get(currentActor), companyId),
    done: () => ({
      toast: { kind: "success" as const, title: "You left the company" },
      data: redirect("/post/listings"),
    }),
    failed: showReasonAsToast,
  }),
});

export const shouldRevalidate = revalidateAfterRefusal;

export default function Teams({ loaderData, actionData }: Route.ComponentProps) {
  const { teams, typed } = loaderData;
  const refused = actionData && "errors" in actionData ? actionData : null;
  useFocusFirstError(refused?.errors);
  const values = refused?.values ?? typed ?? {};
  return (
    <Page
      width="text"
      back={<BackLink to="/post/listings">Your listings</BackLink>}
      title={title}
      intro={`Members write listings. Owners also decide who is a member. A company has at most ${maxMembers} members and invitations.`}
    >
      <link rel="stylesheet" href={stylesheet} precedence="default" />
      {teams.length === 0 ? (
        <EmptyState
          title="Add your company first"
          drawing="table"
          action={<ButtonLink to="/post/company">Add your company</ButtonLink>}
        >
          You post with an email address at your company's own domain.
        </EmptyState>
      ) : (
        <div className={ownThingsStyles.ownStack}>
          {teams.map((team) => (
            <Card key={team.id} title={team.name}>
              <Team
                {...team}
                {...(values.companyId === team.id
                  ? { values, errors: refused?.errors ?? {} }
                  : { values: {}, errors: {} })}
              />
            </Card>
          ))}
        </div>
      )}
    </Page>
  );
}

type LoadedTeam = Route.ComponentProps["loaderData"]["teams"][number];

type Refused = { values: Record<string, string>; errors: Record<string, string> };

function Team({
  id: companyId,
  name,
  domain,
  role,
  members,
  invitations,
  ...refused
}: LoadedTeam & Refused) {
  const isOwner = role === "owner";
  return (
    <div className={ownThingsStyles.ownStack}>
      <p>
        <Link to={`/post/company/${companyId}/page`}>
          The company's page<span className="sr-only"> of {name}</span>
        </Link>
      </p>
      <ul className={ownThingsStyles.ownThings}>
        {members.map((member) => (
          <MemberRow key={member.id} {...member} mayChange={isOwner && !member.isSelf} />
        ))}
        {invitations.map((invitation) => (
          <InvitationRow key={invitation.id} {...invitation} mayChange={isOwner} />
        ))}
      </ul>
      {isOwner && <InviteForm {...{ companyId, domain }} {...refused} />}
      <details className={styles.leave}>
        <summary>
          Leave<span className="sr-only"> {name}</span>
        </summary>
        <Form method="post">
          <p>
            You can't see or change its listings then. They stay with the company.{" "}
            {members.length === 1
              ? "You are its only member, so nobody can answer whether its jobs are still open."
              : isOwner &&
                !members.some((other) => other.role === "owner" && !other.isSelf) &&
                "The member of the longest standing becomes the owner."}
          </p>
          <input type="hidden" name="companyId" value={companyId} />
          <SubmitButton
            intent="leave-company"
            variant="danger"
            size="sm"
            pendingLabel="Leaving..."
            aria-description={name}
          >
            Leave the company
          </SubmitButton>
        </Form>
      </details>
    </div>
  );
}

function MemberRow({
  id,
  companyId,
  name,
  workEmail,
  role,
  since,
  isSelf,
  mayChange,
}: LoadedTeam["members"][number] & { mayChange: boolean }) {
  return (
    <li>
      <div className={styles.person}>
        <p className={`${ownThingsStyles.name} wrap-anywhere`}>
          {name} {isSelf && <Badge tone="outline">You</Badge>}
          {role === "owner" && <Badge tone="info">{roleLabels.owner}</Badge>}
        </p>
        <p className={`${ownThingsStyles.facts} wrap-anywhere`}>
          {workEmail} · Since {since}
        </p>
      </div>
      {mayChange && (
        <Form method="post" preventScrollReset className={styles.buttons}>
          <input type="hidden" name="companyId" value={companyId} />
          <input type="hidden" name="id" value={id} />
          {role === "member" && (
            <SubmitButton
              intent="make-owner"
              variant="secondary"
              size="sm"
              pendingLabel="Saving..."
              aria-description={name}
            >
              Make owner
            </SubmitButton>
          )}
          <SubmitButton
            intent="remove-member"
            variant="ghost"
            size="sm"
            pendingLabel="Removing..."
            aria-description={name}
          >
            Remove
          </SubmitButton>
        </Form>
      )}
    </li>
  );
}

function InvitationRow({
  id,
  companyId,
  workEmail,
  invited,
  mayChange,
}: LoadedTeam["invitations"][number] & { mayChange: boolean }) {
  return (
    <li>
      <div className={styles.person}>
        <p className={`${ownThingsStyles.name} wrap-anywhere`}>
          {workEmail} <Badge tone="neutral">Invited</Badge>
        </p>
        <p className={ownThingsStyles.facts}>Invited {invited}</p>
      </div>
      {mayChange && (
        <Form method="post" preventScrollReset>
          <input type="hidden" name="companyId" value={companyId} />
          <input type="hidden" name="id" value={id} />
          <SubmitButton
            intent="withdraw-invitation"
            variant="ghost"
            size="sm"
            pendingLabel="Withdrawing..."
            aria-description={workEmail}
          >
            Withdraw
          </SubmitButton>
        </Form>
      )}
    </li>
  );
}

function InviteForm({
  companyId,
  domain,
  values,
  errors,
}: { companyId: string; domain: string } & Refused) {
  return (
    <Form method="post" noValidate preventScrollReset className={formStyles.form}>
      <FormAlert>{errors[""]}</FormAlert>
      <input type="hidden" name="companyId" value={companyId} />
      <Field
        label="Invite a work email"
        name="workEmail"
        type="email"
        required
        autoComplete="off"
        maxLength={maxLengths.workEmail}
        defaultValue={values.workEmail}
        error={errors.workEmail}
        hint={`At ${domain}. We email a link, and the person joins with an account.`}
      />
      <SubmitButton intent="invite-member" pendingLabel="Inviting...">
        Invite
      </SubmitButton>
    </Form>
  );
}
