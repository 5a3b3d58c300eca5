import { type Context, Hono } from "hono";
import { formatPlaceName, listPlacesByPrefix } from "../../app/jobs/places/find-places.server.ts";
import { truncateToCharacters } from "../../app/platform/text/cut-text.ts";
import type { Env } from "../http/request.ts";

/** Longer texts are cut to this many characters. No name is as long. */
const maxTextLength = 60;
const maxPlaces = 10;

/**
 * Serves the places whose name begins with a text, for pickers: `/places?q=pu` gives
 * `[{"id":1259229,"slug":"pune","name":"Pune, Maharashtra"}]`.
 */
export function createPlaceRoutes(): Hono<Env> {
  const app = new Hono<Env>();
  app.get("/places", (context: Context) => {
    const text = truncateToCharacters(context.req.query("q") ?? "", maxTextLength);
    const places = listPlacesByPrefix(text, maxPlaces).map(({ id, slug }) => ({
      id,
      slug,
      name: formatPlaceName(id),
    }));
    return context.json(places, 200, { "Cache-Control": "public, max-age=86400" });
  });
  return app;
}
