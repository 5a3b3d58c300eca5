import { type Context, Hono } from "hono";
import { findCompany } from "../../app/jobs/companies/find-companies.server.ts";
import { buildCompanyCard } from "../../app/jobs/companies/pages.ts";
import { buildJobCard } from "../../app/jobs/listing/pages.ts";
import { hashSocialCard, type SocialCard } from "../../app/ui/meta.ts";
import { forEverySite, isFresh } from "../cache/documents.ts";
import type { Env } from "../http/request.ts";
import type { Services } from "../services/services.ts";
import { TooBusy } from "../social-images/image-worker.ts";
import { findJob } from "../../app/jobs/listing/find-job.server.ts";

const forEver = "public, max-age=31536000, immutable";
const forAWhile = "public, max-age=300";

/** Serves the preview images of shared links: `/social/about.png`, `/social/jobs/<id>.png`. */
export function createSocialImageRoutes({
  app: { config, db },
  images,
  screens,
}: Services): Hono<Env> {
  const app = new Hono<Env>();
  for (const { path, card } of screens.pages)
    app.get(`/social${path === "/" ? "/home" : path}.png`, (context) => send(context, card));
  app.get("/social/jobs/:file{[0-9a-f-]{36}\\.png}", async (context) => {
    const listing = await findJob(db, null, context.req.param("file").slice(0, -".png".length));
    if (listing.state === "missing") return context.text("Not found", 404);
    if (listing.state === "archived") return context.text("This job is no longer open.", 410);
    return send(context, buildJobCard(listing.job));
  });
  app.get("/social/companies/:file{[a-z0-9-]+\\.png}", async (context) => {
    const company = await findCompany(db, context.req.param("file").slice(0, -".png".length));
    return company ? send(context, buildCompanyCard(company)) : context.text("Not found", 404);
  });
  return app;

  /** A URL with an older version gets the current image, cached only briefly. */
  async function send(context: Context, card: SocialCard): Promise<Response> {
    const version = hashSocialCard(card, config.product.name);
    const etag = `"${version}"`;
    const headers = {
      "Cache-Control": context.req.query("v") === version ? forEver : forAWhile,
      ETag: etag,
      ...forEverySite,
    };
    if (isFresh(context, etag, null)) return new Response(null, { status: 304, headers });
    try {
      const png = await images.draw(card);
      return new Response(new Uint8Array(png), {
        headers: { ...headers, "Content-Type": "image/png", "Content-Length": `${png.length}` },
      });
    } catch (error) {
      if (!(error instanceof TooBusy)) throw error;
      return context.text("Too many images are being drawn. Try again soon.", 503, {
        "Retry-After": "5",
      });
    }
  }
}
