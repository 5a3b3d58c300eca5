import { getSignedInActor } from "../../accounts/actor.server.ts";
import { appContext } from "../../platform/app-context.server.ts";
import { ButtonLink } from "../../ui/form/button.tsx";
import { BackLink } from "../../ui/layout/back-link.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { buildPrivateMeta } from "../../ui/meta.ts";
import type { Route } from "./+types/handed-back-draft.screen.ts";
import { DraftResult } from "./draft-result.tsx";
import { getHandedBackDraft } from "./drafts.server.ts";
import stylesheet from "./handed-back-draft.screen.css?url";
import * as styles from "./hand-back.module.css";
import * as factsStyles from "../../ui/layout/facts.module.css";

const title = "Handed back review";

export const meta: Route.MetaFunction = ({ matches }) => buildPrivateMeta(matches, title);

/** No cache stores a draft. */
export const headers: Route.HeadersFunction = () => ({ "Cache-Control": "private, no-store" });

export async function loader({ params, context }: Route.LoaderArgs) {
  const { db } = context.get(appContext);
  return { draft: await getHandedBackDraft(db, getSignedInActor(context), params.draftId) };
}

export default function HandedBackDraft({ loaderData: { draft } }: Route.ComponentProps) {
  const { reviewId, service, former, handedBackOn, reason, note, state, parts, reviewer } = draft;
  return (
    <Page
      back={<BackLink to="/admin/reviews/handed-back">Back to handed back reviews</BackLink>}
      title={title}
      intro={service}
      actions={
        !reviewer && (
          <ButtonLink to={`/admin/reviews?search=${reviewId}`}>Assign a reviewer</ButtonLink>
        )
      }
    >
      <link rel="stylesheet" href={stylesheet} precedence="default" />
      <dl className={factsStyles.facts}>
        <dt>Handed back</dt>
        <dd>{`By ${former} on ${handedBackOn}`}</dd>
        <dt>Reason</dt>
        <dd>{reason}</dd>
        {note && (
          <>
            <dt>Note</dt>
            <dd>{note}</dd>
          </>
        )}
        <dt>Reviewer now</dt>
        <dd>{reviewer ?? "None yet"}</dd>
        <dt>Draft</dt>
        <dd>{parts.length > 0 ? `${parts.join(", ")}. ${state}` : state}</dd>
      </dl>
      {parts.length > 0 && (
        <div className={styles.inFrame}>
          <DraftResult {...draft} />
        </div>
      )}
    </Page>
  );
}
