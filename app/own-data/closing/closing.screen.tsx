import { Form } from "react-router";
import { z } from "zod";
import { currentActor, getSignedInActor } from "../../accounts/actor.server.ts";
import { requireRecentSignIn, requireSignIn } from "../../accounts/guards.server.ts";
import { sealedDays } from "../../accounts/rules.ts";
import { buildExpiredSessionCookie } from "../../accounts/session.server.ts";
import { appContext, requestFacts } from "../../platform/app-context.server.ts";
import { formatLongDate } from "../../platform/clock.ts";
import { createFormAction, showReasonAboveForm } from "../../platform/forms.server.ts";
import { redirect } from "../../platform/redirect.server.ts";
import { CheckboxField, FormAlert, useFocusFirstError } from "../../ui/form/field.tsx";
import { SubmitButton } from "../../ui/form/button.tsx";
import { BackLink } from "../../ui/layout/back-link.tsx";
import { Card } from "../../ui/layout/card.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { Link } from "../../ui/link.tsx";
import { buildPrivateMeta } from "../../ui/meta.ts";
import { revalidateAfterRefusal } from "../../ui/refused-forms.ts";
import type { Route } from "./+types/closing.screen.ts";
import { closeOwnAccount } from "./close-account.server.tsx";
import { listObstacles, type Obstacle } from "./end-account.server.ts";
import { obstacleLinks } from "./rules.ts";
import * as styles from "../../accounts/own-things.module.css";
import * as listStyles from "./closing.module.css";

const title = "Close your account";

export const middleware = [requireSignIn, requireRecentSignIn("screen")];

export const meta: Route.MetaFunction = ({ matches }) => buildPrivateMeta(matches, title);

export async function loader({ context }: Route.LoaderArgs) {
  const { db } = context.get(appContext);
  return { obstacles: await listObstacles(db, getSignedInActor(context).id) };
}

export const action = createFormAction({
  schema: z.object({ sure: z.literal("on", "Tick the box to close your account") }),
  async run({ context }) {
    const { db, config } = context.get(appContext);
    const purgeAt = await closeOwnAccount(db, context.get(currentActor), config);
    context.get(requestFacts).setCookies.push(buildExpiredSessionCookie(config));
    return purgeAt;
  },
  done: (purgeAt) => ({
    toast: {
      kind: "success",
      title: "Your account is closed",
      description: `Log in before ${formatLongDate(purgeAt)} if you change your mind.`,
    },
    data: redirect("/"),
  }),
  failed: showReasonAboveForm("We couldn't close your account"),
});

export const shouldRevalidate = revalidateAfterRefusal;

export default function CloseAccount({ loaderData, actionData }: Route.ComponentProps) {
  const { obstacles } = loaderData;
  const errors = actionData?.errors ?? {};
  useFocusFirstError(actionData?.errors);
  return (
    <Page
      title={title}
      width="text"
      intro={`You can come back within ${sealedDays} days. Then your data is deleted.`}
      back={<BackLink to="/profile/data">Back to your data</BackLink>}
    >
      <div className={styles.ownStack}>
        <FormAlert>{errors[""]}</FormAlert>
        <Card title="At once">
          <ul className={listStyles.list}>
            <li>You are logged out on every device, and our team no longer sees your data.</li>
            <li>Links to your reviews, job alerts and a subscription end. They stay ended.</li>
            <li>You leave your companies. One that nobody else posts for is hidden.</li>
            <li>Jobs that name your address as their contact lose it for good.</li>
            <li>
              If you work for us, you lose your roles. Your open reviews go to someone else, and
              fees stay due.
            </li>
          </ul>
        </Card>
        <Card title={`Deleted after ${sealedDays} days`}>
          <ul className={listStyles.list}>
            <li>Your name, address, phone number, password, passkeys and codes.</li>
            <li>Your files and drafts, and the text and brief of your reviews.</li>
            <li>Your list of jobs, and messages to us that are settled.</li>
          </ul>
        </Card>
        <Card title="What stays">
          <ul className={listStyles.list}>
            <li>
              Payments and our history, without your name, because the law asks for them. What we
              sent to PayU goes 180 days after the payment.
            </li>
            <li>Dates, type, fee and scores of your reviews, and your rating, without you.</li>
            <li>A complaint that is open, until it is settled, so that we can answer you.</li>
          </ul>
        </Card>
        {obstacles.length > 0 ? (
          <Obstacles obstacles={obstacles} />
        ) : (
          <Form method="post" className={styles.ownStack} noValidate>
            <CheckboxField
              label="I want to close my account"
              name="sure"
              required
              error={errors.sure}
            />
            <SubmitButton variant="danger" pendingLabel="Closing...">
              Close my account
            </SubmitButton>
          </Form>
        )}
      </div>
    </Page>
  );
}

function Obstacles({ obstacles }: { obstacles: Obstacle[] }) {
  return (
    <Card title="Finish this first" subtitle="You can close your account after this.">
      <ul className={listStyles.list}>
        {obstacles.map(({ kind, text }) => (
          <li key={kind}>
            {text} <Link to={obstacleLinks[kind].to}>{obstacleLinks[kind].label}</Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}
