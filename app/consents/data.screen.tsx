import type { ReactNode } from "react";
import { Form } from "react-router";
import { z } from "zod";
import { currentActor, getSignedInActor } from "../accounts/actor.server.ts";
import { withdrawablePurposes } from "../accounts/consents/rules.ts";
import { requireSignIn } from "../accounts/guards.server.ts";
import { removeOwnContact } from "../checks/question/own-contact.server.ts";
import { appContext } from "../platform/app-context.server.ts";
import { buildSuccess, createFormActions, createFormIntent } from "../platform/forms.server.ts";
import { SubmitButton } from "../ui/form/button.tsx";
import { BackToProfile } from "../ui/layout/back-link.tsx";
import { Badge, Card } from "../ui/layout/card.tsx";
import { Page } from "../ui/layout/page.tsx";
import { Link } from "../ui/link.tsx";
import { buildPrivateMeta } from "../ui/meta.ts";
import { revalidateAfterRefusal } from "../ui/refused-forms.ts";
import type { Route } from "./+types/data.screen.ts";
import { type ConsentView, formatHistory, toConsentViews } from "./consent-views.ts";
import {
  acceptNotice,
  getOwnConsents,
  recordOwnConsent,
  withdrawOwnConsent,
} from "./own-consents.server.ts";
import * as ownThingsStyles from "../accounts/own-things.module.css";
import * as styles from "./consents.module.css";

const title = "Your data and consents";

export const middleware = [requireSignIn];

export const meta: Route.MetaFunction = ({ matches }) => buildPrivateMeta(matches, title);

export async function loader({ context }: Route.LoaderArgs) {
  const own = await getOwnConsents(context.get(appContext).db, getSignedInActor(context));
  return { consents: toConsentViews(own), history: own.history.map(formatHistory) };
}

export const action = createFormActions({
  withdraw: createFormIntent({
    schema: z.object({ purpose: z.enum(withdrawablePurposes) }),
    run({ context, value: { purpose } }) {
      const { db, config } = context.get(appContext);
      const actor = context.get(currentActor);
      return purpose === "contact"
        ? removeOwnContact(db, actor, config)
        : withdrawOwnConsent(db, actor, purpose);
    },
    done: (_, { value: { purpose } }) => buildSuccess(withdrawn[purpose]),
    failed: "We couldn't withdraw your consent",
  }),
  allow: createFormIntent({
    schema: z.object({ purpose: z.enum(["mails", "sample"]) }),
    run: ({ context, value: { purpose } }) =>
      recordOwnConsent(context.get(appContext).db, context.get(currentActor), purpose),
    done: (_, { value: { purpose } }) => buildSuccess(allowed[purpose]),
    failed: "We couldn't save your consent",
  }),
  "accept-notice": createFormIntent({
    schema: z.object({}),
    run: ({ context }) => acceptNotice(context.get(appContext).db, context.get(currentActor)),
    done: () => buildSuccess("You accepted the privacy notice"),
    failed: "We couldn't save your answer",
  }),
});

const withdrawn = {
  mails: "Optional emails are off",
  alerts: "All of your job alerts are stopped",
  share: "All links to your reviews have ended",
  sample: "We no longer use your review as a sample",
  contact: "We removed your name and address",
};

const allowed = {
  mails: "Optional emails are on",
  sample: "We may use your review as a sample",
};

export const shouldRevalidate = revalidateAfterRefusal;

export default function OwnData({ loaderData: { consents, history } }: Route.ComponentProps) {
  return (
    <Page
      title={title}
      width="text"
      intro={
        <>
          What you allow us to do, and since when. The{" "}
          <Link to="/privacy/notice">privacy notice</Link> lists the data that we store. You can
          also <Link to="/profile/data/export">download your data</Link>.
        </>
      }
      back={<BackToProfile />}
    >
      <div className={ownThingsStyles.ownStack}>
        <Card>
          <ul className={ownThingsStyles.ownThings}>
            {consents.map((consent) => (
              <ConsentRow key={consent.purpose} {...consent} />
            ))}
          </ul>
        </Card>
        <Card title="History" subtitle="Each consent stays here, also after you withdraw it.">
          {history.length > 0 ? (
            <ul className={styles.history}>
              {history.map((line, index) => (
                <li key={index}>{line}</li>
              ))}
            </ul>
          ) : (
            <p>No consents yet. They appear here when you give one.</p>
          )}
        </Card>
      </div>
    </Page>
  );
}

function ConsentRow({ purpose, label, about, state, badge, button }: ConsentView) {
  return (
    <li>
      <div className={styles.consent}>
        <p className={ownThingsStyles.name}>
          {label} <Badge {...badges[badge]} />
        </p>
        <p>{about}</p>
        <p className={ownThingsStyles.facts}>
          {state} {endings[purpose]}
        </p>
      </div>
      {button && (
        <Form method="post" preventScrollReset>
          <input type="hidden" name="purpose" value={purpose} />
          <SubmitButton
            intent={button}
            variant="secondary"
            size="sm"
            pendingLabel={button === "withdraw" ? "Withdrawing..." : "Saving..."}
          >
            {button === "withdraw" ? "Withdraw" : "Allow"}{" "}
            <span className="sr-only">: {label}</span>
          </SubmitButton>
        </Form>
      )}
    </li>
  );
}

const badges = {
  needed: { tone: "neutral", children: "Needed" },
  on: { tone: "success", children: "Allowed" },
  off: { tone: "outline", children: "Not allowed" },
} as const;

const endings: Partial<Record<ConsentView["purpose"], ReactNode>> = {
  account: (
    <>
      It ends when your account is closed. <Link to="/profile/data/close">Close your account</Link>
    </>
  ),
  mails: <Link to="/profile/mails">Choose each email</Link>,
  alerts: <Link to="/profile/alerts">Change or stop each alert</Link>,
};
