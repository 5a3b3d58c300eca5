import { Form } from "react-router";
import { z } from "zod";
import { appContext } from "../../platform/app-context.server.ts";
import { createFormActions, createFormIntent, buildSuccess } from "../../platform/forms.server.ts";
import { useRevalidateOnReturn } from "../../ui/coming-back.ts";
import { revalidateAfterRefusal } from "../../ui/refused-forms.ts";
import { SubmitButton } from "../../ui/form/button.tsx";
import { BackToProfile } from "../../ui/layout/back-link.tsx";
import { Badge, Card } from "../../ui/layout/card.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { buildPrivateMeta } from "../../ui/meta.ts";
import { currentActor, getSignedInActor } from "../actor.server.ts";
import { requireSignIn } from "../guards.server.ts";
import type { Route } from "./+types/sessions.screen.ts";
import {
  revokeOtherSessions,
  revokeOwnSession,
  listOwnSessions,
  type OwnSession,
} from "./sessions.server.ts";
import * as styles from "../own-things.module.css";

const title = "Where you're signed in";

export const middleware = [requireSignIn];

export const meta: Route.MetaFunction = ({ matches }) => buildPrivateMeta(matches, title);

export function loader({ context }: Route.LoaderArgs) {
  return listOwnSessions(context.get(appContext).db, getSignedInActor(context));
}

export const action = createFormActions({
  "end-session": createFormIntent({
    schema: z.object({ id: z.string() }),
    run: ({ context, value: { id } }) =>
      revokeOwnSession(context.get(appContext).db, context.get(currentActor), id),
    done: () => buildSuccess("Device signed out"),
    failed: "We couldn't sign out that device",
  }),
  "end-others": createFormIntent({
    schema: z.object({}),
    run: ({ context }) =>
      revokeOtherSessions(context.get(appContext).db, context.get(currentActor)),
    done: () => buildSuccess("You're signed out everywhere else"),
    failed: "We couldn't sign out your other devices",
  }),
});

export const shouldRevalidate = revalidateAfterRefusal;

export default function Sessions({ loaderData: { sessions, more } }: Route.ComponentProps) {
  useRevalidateOnReturn();
  const others = sessions.length + more - 1;
  return (
    <Page
      title={title}
      width="text"
      intro="Every browser signed in to your account. If you don't recognise one, sign it out and create a new password."
      back={<BackToProfile />}
    >
      <Card
        footer={
          others > 0 && (
            <Form method="post" preventScrollReset>
              <SubmitButton intent="end-others" variant="danger" pendingLabel="Signing out...">
                Sign out everywhere else
              </SubmitButton>
            </Form>
          )
        }
      >
        <ul className={styles.ownThings}>
          {sessions.map((session) => (
            <Session key={session.id} {...session} />
          ))}
        </ul>
        {more > 0 && <p>{`And ${more} more, used less recently.`}</p>}
      </Card>
    </Page>
  );
}

function Session({ id, device, openedAt, seenAt, isThis }: OwnSession) {
  return (
    <li>
      <div>
        <p className={styles.name}>
          {device} {isThis && <Badge tone="success">This device</Badge>}
        </p>
        <p className={styles.facts}>
          {`Signed in ${openedAt}`}
          <br />
          {isThis ? "In use now" : `Last seen ${seenAt}`}
        </p>
      </div>
      {!isThis && (
        <Form method="post" preventScrollReset>
          <input type="hidden" name="id" value={id} />
          <SubmitButton
            intent="end-session"
            variant="secondary"
            size="sm"
            pendingLabel="Signing out..."
          >
            Sign out <span className="sr-only">{`${device}, signed in ${openedAt}`}</span>
          </SubmitButton>
        </Form>
      )}
    </li>
  );
}
