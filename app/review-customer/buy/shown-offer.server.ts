import { getSignedInActor } from "../../accounts/actor.server.ts";
import { appContext } from "../../platform/app-context.server.ts";
import { NotFound } from "../../platform/errors.ts";
import type { Posted } from "../../platform/forms.server.ts";
import { getOffer, getServiceKey, type Offer } from "../../reviews/second-looks.server.ts";
import { findServiceByPath } from "./submission.ts";

/**
 * Returns the offer of this screen: the service of its path, or the second look at the review that it names.
 *
 * @throws {NotFound | Conflict} as `getOffer`.
 */
export async function getShownOffer({
  url,
  params,
  context,
}: Pick<Posted, "url" | "params" | "context">): Promise<Offer> {
  const { db, config } = context.get(appContext);
  const actor = getSignedInActor(context);
  const key = params.id
    ? await getServiceKey(db, actor, params.id)
    : findServiceByPath(url.pathname);
  if (!key) throw new NotFound();
  return getOffer(db, config, actor, key);
}
