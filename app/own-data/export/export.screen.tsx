import { Form } from "react-router";
import { z } from "zod";
import { currentActor, getSignedInActor } from "../../accounts/actor.server.ts";
import { requireRecentSignIn, requireSignIn } from "../../accounts/guards.server.ts";
import { appContext } from "../../platform/app-context.server.ts";
import { buildSuccess, createFormAction, showReasonAsToast } from "../../platform/forms.server.ts";
import { useRevalidateOnReturn } from "../../ui/coming-back.ts";
import { ButtonLink, SubmitButton } from "../../ui/form/button.tsx";
import { BackLink } from "../../ui/layout/back-link.tsx";
import { Badge, Card, type Tone } from "../../ui/layout/card.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { buildPrivateMeta } from "../../ui/meta.ts";
import { revalidateAfterRefusal } from "../../ui/refused-forms.ts";
import type { Route } from "./+types/export.screen.ts";
import { type ExportView, listOwnExports, startOwnExport } from "./exports.server.ts";
import { daysKept, type ExportState } from "./rules.ts";
import * as styles from "../../accounts/own-things.module.css";

const title = "Download your data";

export const middleware = [requireSignIn, requireRecentSignIn("forms")];

export const meta: Route.MetaFunction = ({ matches }) => buildPrivateMeta(matches, title);

export function loader({ context }: Route.LoaderArgs) {
  return listOwnExports(context.get(appContext).db, getSignedInActor(context));
}

export const action = createFormAction({
  schema: z.object({}),
  run: ({ context }) => startOwnExport(context.get(appContext).db, context.get(currentActor)),
  done: () => buildSuccess("We're preparing your data. We'll email you when it's ready."),
  failed: showReasonAsToast,
});

export const shouldRevalidate = revalidateAfterRefusal;

export default function OwnExports({ loaderData: exports }: Route.ComponentProps) {
  useRevalidateOnReturn();
  const isPreparing = exports.some(({ state }) => state === "preparing");
  return (
    <Page
      title={title}
      width="text"
      intro="A copy of everything we store about you, as one ZIP file that only you can download."
      back={<BackLink to="/profile/data">Back to your data and consents</BackLink>}
    >
      <div className={styles.ownStack}>
        <Card
          title="What's in it"
          footer={
            !isPreparing && (
              <Form method="post" preventScrollReset>
                <SubmitButton pendingLabel="Starting...">Prepare my data</SubmitButton>
              </Form>
            )
          }
        >
          <p>
            Your details, consents, orders, reviews, saved jobs, alerts, messages and listings as
            data, each completed review with its remarks as a PDF, and your files. Passwords and
            other people&apos;s data are left out.
          </p>
          <p>
            {`We email you when it's ready, and delete it after ${daysKept} days. You can start one export a day.`}
          </p>
        </Card>
        <Card title="Your exports">
          {exports.length === 0 ? (
            <p>No exports yet. They appear here when you start one.</p>
          ) : (
            <ul className={styles.ownThings}>
              {exports.map((one) => (
                <Export key={one.id} {...one} />
              ))}
            </ul>
          )}
        </Card>
      </div>
    </Page>
  );
}

function Export({ id, state, requested, until, size }: ExportView) {
  return (
    <li>
      <div>
        <p className={styles.name}>
          {`Started on ${requested}`} <Badge tone={badges[state].tone}>{badges[state].label}</Badge>
        </p>
        <p className={styles.facts}>{describeExport({ state, until, size })}</p>
      </div>
      {state === "ready" && (
        <ButtonLink
          to={`/profile/data/export/${id}.zip`}
          variant="secondary"
          size="sm"
          reloadDocument
        >
          Download <span className="sr-only">{`the export of ${requested}`}</span>
        </ButtonLink>
      )}
    </li>
  );
}

const badges: Record<ExportState, { tone: Tone; label: string }> = {
  preparing: { tone: "info", label: "Preparing" },
  ready: { tone: "success", label: "Ready" },
  failed: { tone: "danger", label: "Failed" },
  expired: { tone: "neutral", label: "Expired" },
};

function describeExport({ state, until, size }: Pick<ExportView, "state" | "until" | "size">) {
  if (state === "preparing") return "This takes a few minutes. You can close this page.";
  if (state === "failed") return "We couldn't prepare it. Please start another one.";
  return state === "ready" ? `${size}, ready until ${until}` : `Deleted on ${until}`;
}
