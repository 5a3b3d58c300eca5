import { getSignedInActor } from "../../accounts/actor.server.ts";
import { requireSignIn } from "../../accounts/guards.server.ts";
import { getNumbers, sortByReadingOrder } from "../../annotations/reading-order.ts";
import {
  formatRemarksCsv,
  formatRemarksJson,
} from "../../annotations/remarks/remark-files.server.ts";
import { appContext } from "../../platform/app-context.server.ts";
import { NotFound } from "../../platform/errors.ts";
import type { Material } from "../../reviews/materials.server.ts";
import type { Route } from "./+types/remarks-file.action.ts";
import { findOwnReview } from "./own-reviews.server.ts";

export const middleware = [requireSignIn];

/** Returns the remarks of the person's own completed review: as a table, or as annotations in JSON. */
export async function loader({ params: { id }, url, context }: Route.LoaderArgs) {
  const { db, config } = context.get(appContext);
  const own = await findOwnReview(db, getSignedInActor(context), id);
  if (!own?.result) throw new NotFound();
  const { images, remarks } = own.result;
  const sorted = sortByReadingOrder(
    remarks,
    images.map((image) => image.id),
  );
  const numbers = getNumbers(sorted);
  const numbered = sorted.map((remark, index) => ({ ...remark, number: numbers[index]! }));
  const toAddress = (href: string | null | undefined) =>
    href ? new URL(href, config.origin).href : null;
  const findAddress = (label: Material["label"]) =>
    toAddress(own.review.materials.find((material) => material.label === label)?.href);
  const sources = {
    resume: findAddress("Resume"),
    portfolio: findAddress("Portfolio file"),
    images: images.map((image) => ({ id: image.id, href: toAddress(image.href) })),
  };
  const isTable = url.pathname.toLowerCase().endsWith(".csv");
  return new Response(
    isTable ? formatRemarksCsv(numbered, sources) : formatRemarksJson(numbered, sources),
    {
      headers: {
        "Content-Type": isTable ? "text/csv; charset=utf-8" : "application/ld+json; charset=utf-8",
        "Content-Disposition": `attachment; filename="remarks.${isTable ? "csv" : "json"}"`,
        "Cache-Control": "private, no-store",
      },
    },
  );
}
