import { data, Form } from "react-router";
import { z } from "zod";
import { getSignedInActor } from "../../accounts/actor.server.ts";
import { requireSignIn } from "../../accounts/guards.server.ts";
import { appContext } from "../../platform/app-context.server.ts";
import { hour } from "../../platform/clock.ts";
import {
  buildSuccess,
  createFormAction,
  showReasonAboveForm,
} from "../../platform/forms.server.ts";
import { countAsker, type RateLimit } from "../../platform/rate-limit.server.ts";
import { secretLinkHeaders } from "../../platform/signed-ids.server.ts";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { ButtonLink, SubmitButton } from "../../ui/form/button.tsx";
import { FormAlert, useFocusFirstError } from "../../ui/form/field.tsx";
import { Card } from "../../ui/layout/card.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { buildPrivateMeta } from "../../ui/meta.ts";
import { revalidateAfterRefusal } from "../../ui/refused-forms.ts";
import type { Route } from "./+types/join-company.screen.ts";
import { findInvitation, invalidJoinLink, joinCompany } from "./join-company.server.ts";
import stylesheet from "./join-company.screen.css?url";
import * as formStyles from "../../ui/form/stacked-form.module.css";

const title = "Join a company";

const joinByClient: RateLimit = { name: "company-join", max: 40, windowMs: hour };

export const middleware = [requireSignIn];

export const meta: Route.MetaFunction = ({ matches }) => buildPrivateMeta(matches, title);

export const headers = () => secretLinkHeaders;

/** Opening the link changes nothing, since mail scanners open links. */
export async function loader({ params: { token }, context }: Route.LoaderArgs) {
  const { db, config } = context.get(appContext);
  const actor = getSignedInActor(context);
  const invitation = await findInvitation(db, actor, config, token);
  return data(
    { invitation, account: actor.email, invalidJoinLink },
    { status: invitation ? 200 : 404 },
  );
}

export const action = createFormAction({
  schema: z.object({}),
  async run({ params: { token = "" }, context }) {
    const { db, config } = context.get(appContext);
    await countAsker(context, joinByClient);
    await joinCompany(db, getSignedInActor(context), config, token);
  },
  done: () => buildSuccess("You can post for the company now"),
  failed: showReasonAboveForm("We couldn't add you to the company"),
});

export const shouldRevalidate = revalidateAfterRefusal;

export default function JoinCompany({ loaderData, actionData }: Route.ComponentProps) {
  const { invitation, account } = loaderData;
  const errors = actionData && "errors" in actionData ? actionData.errors : undefined;
  useFocusFirstError(errors);
  return (
    <Page width="text" title={title}>
      <link rel="stylesheet" href={stylesheet} precedence="default" />
      <FormAlert>{errors?.[""]}</FormAlert>
      {invitation ? (
        <Card>
          <JoinForm {...invitation} account={account} />
        </Card>
      ) : (
        <EmptyState
          drawing="lost"
          title={loaderData.invalidJoinLink}
          action={<ButtonLink to="/post/listings">Your listings</ButtonLink>}
        >
          Ask the person who invited you for another one.
        </EmptyState>
      )}
    </Page>
  );
}

type Loaded = Route.ComponentProps["loaderData"];

function JoinForm({
  domain,
  workEmail,
  isJoined,
  account,
}: NonNullable<Loaded["invitation"]> & Pick<Loaded, "account">) {
  if (isJoined)
    return (
      <div className={formStyles.sent}>
        <p>You post for the company at {domain}. You can write your first listing now.</p>
        <ButtonLink to="/post/listings">Write a listing</ButtonLink>
      </div>
    );
  return (
    <Form method="post" preventScrollReset className={formStyles.form}>
      <p>
        You're invited to post jobs for the company at {domain} with{" "}
        <strong className="wrap-anywhere">{workEmail}</strong>, in your account{" "}
        <strong className="wrap-anywhere">{account}</strong>. Its members see your name and this
        work email.
      </p>
      <SubmitButton pendingLabel="Joining...">Join</SubmitButton>
    </Form>
  );
}
