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
import type { Route } from "./+types/confirm-work-email.screen.ts";
import {
  confirmWorkEmail,
  findMailedRequest,
  invalidConfirmLink,
} from "./confirm-work-email.server.tsx";
import stylesheet from "./confirm-work-email.screen.css?url";
import * as formStyles from "../../ui/form/stacked-form.module.css";

const title = "Confirm your work email";

const confirmByClient: RateLimit = { name: "work-email-confirm", max: 40, windowMs: hour };

export const middleware = [requireSignIn];

export const meta: Route.MetaFunction = ({ matches }) => buildPrivateMeta(matches, title);

export const headers = () => secretLinkHeaders;

export async function loader({ params: { token }, context }: Route.LoaderArgs) {
  const { db, config } = context.get(appContext);
  const request = await findMailedRequest(db, getSignedInActor(context), config, token);
  return data({ request, invalidConfirmLink }, { status: request ? 200 : 404 });
}

export const action = createFormAction({
  schema: z.object({}),
  async run({ params: { token = "" }, context }) {
    const { db, config } = context.get(appContext);
    await countAsker(context, confirmByClient);
    await confirmWorkEmail(db, getSignedInActor(context), config, token);
  },
  done: () => buildSuccess("Work email confirmed"),
  failed: showReasonAboveForm("We couldn't confirm your work email"),
});

export const shouldRevalidate = revalidateAfterRefusal;

export default function ConfirmWorkEmail({ loaderData, actionData }: Route.ComponentProps) {
  const { request } = loaderData;
  const errors = actionData && "errors" in actionData ? actionData.errors : undefined;
  useFocusFirstError(errors);
  return (
    <Page width="text" title={title}>
      <link rel="stylesheet" href={stylesheet} precedence="default" />
      <FormAlert>{errors?.[""]}</FormAlert>
      {request ? (
        <Card>
          <RequestState {...request} />
        </Card>
      ) : (
        <EmptyState
          drawing="lost"
          title={loaderData.invalidConfirmLink}
          action={<ButtonLink to="/post/company">Ask for a new link</ButtonLink>}
        >
          Log in with the account in which you added your company.
        </EmptyState>
      )}
    </Page>
  );
}

function RequestState({
  workEmail,
  domain,
  isConfirmed,
  isApproved,
}: NonNullable<Route.ComponentProps["loaderData"]["request"]>) {
  if (!isConfirmed)
    return (
      <Form method="post" preventScrollReset className={formStyles.form}>
        <p>
          Confirm that you post jobs for the company at {domain} with{" "}
          <strong className="wrap-anywhere">{workEmail}</strong>.
        </p>
        <SubmitButton pendingLabel="Confirming...">Confirm work email</SubmitButton>
      </Form>
    );
  return (
    <div className={formStyles.sent}>
      <p>
        {isApproved
          ? "Your work email is confirmed. You can write your first listing now."
          : `Your work email is confirmed. Someone else posts for the company at ${domain} already, so our team decides whether you can too. We email you.`}
      </p>
      <ButtonLink to="/post/listings" variant={isApproved ? "primary" : "secondary"}>
        {isApproved ? "Write a listing" : "Your listings"}
      </ButtonLink>
    </div>
  );
}
