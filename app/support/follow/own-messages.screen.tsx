import { getSignedInActor } from "../../accounts/actor.server.ts";
import { requireSignIn } from "../../accounts/guards.server.ts";
import { appContext } from "../../platform/app-context.server.ts";
import { formatShortDate } from "../../platform/clock.ts";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { ButtonLink } from "../../ui/form/button.tsx";
import { BackToProfile } from "../../ui/layout/back-link.tsx";
import { Badge, Card } from "../../ui/layout/card.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { Link } from "../../ui/link.tsx";
import { buildPrivateMeta } from "../../ui/meta.ts";
import { stateTones, writerStateLabels } from "../rules.ts";
import type { Route } from "./+types/own-messages.screen.ts";
import { listOwnMessages, maxOwnMessages } from "./conversation.server.tsx";
import * as styles from "../../accounts/own-things.module.css";

const title = "Messages";

export const middleware = [requireSignIn];

export const meta: Route.MetaFunction = ({ matches }) => buildPrivateMeta(matches, title);

export const headers = () => ({ "Cache-Control": "private, no-store" });

export async function loader({ context }: Route.LoaderArgs) {
  const { db, config } = context.get(appContext);
  const listed = await listOwnMessages(db, getSignedInActor(context), config);
  return {
    isCut: listed.length === maxOwnMessages,
    rows: listed.map(({ createdAt, ...row }) => ({ ...row, sent: formatShortDate(createdAt) })),
  };
}

export default function OwnMessages({ loaderData: { rows, isCut } }: Route.ComponentProps) {
  return (
    <Page
      title={title}
      width="text"
      intro="Messages that you sent us while you were logged in, and our replies."
      back={<BackToProfile />}
    >
      {rows.length === 0 ? (
        <EmptyState
          title="No messages yet"
          drawing="inbox"
          action={<ButtonLink to="/contact">Write to us</ButtonLink>}
        >
          Each message you send us appears here with our replies.
        </EmptyState>
      ) : (
        <Card>
          <ul className={styles.ownThings}>
            {rows.map(({ ticket, subject, state, sent, path }) => (
              <li key={ticket}>
                <div>
                  <p className={styles.name}>
                    <Link to={path}>{subject}</Link>
                  </p>
                  <p className={styles.facts}>
                    {ticket}, sent {sent}
                  </p>
                </div>
                <Badge tone={stateTones[state]}>{writerStateLabels[state]}</Badge>
              </li>
            ))}
          </ul>
        </Card>
      )}
      {isCut && <p>These are your newest {rows.length} messages.</p>}
    </Page>
  );
}
