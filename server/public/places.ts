import { type Context, Hono } from "hono";
import { workModes } from "../../app/jobs/details.ts";
import { suggestFromLocation } from "../../app/jobs/manage/details/suggest-from-location.server.ts";
import { maxLengths } from "../../app/jobs/manage/rules.ts";
import { formatPlaceName, listPlacesByPrefix } from "../../app/jobs/places/find-places.server.ts";
import { truncateToCharacters } from "../../app/platform/text/cut-text.ts";
import type { Env } from "../http/request.ts";

/** Longer texts are cut to this many characters. No name is as long. */
const maxTextLength = 60;
const maxPlaces = 10;
const cacheHeaders = { "Cache-Control": "public, max-age=86400" };

/**
 * Serves the places whose name begins with a text, for pickers: `/places?q=pu` gives
 * `[{"id":1259229,"slug":"pune","name":"Pune, Maharashtra"}]`. With a location instead, as in the form of a listing, it
 * serves what completes it and the details that it states.
 */
export function createPlaceRoutes(): Hono<Env> {
  const app = new Hono<Env>();
  app.get("/places", (context: Context) => {
    const location = context.req.query("location");
    if (location !== undefined) {
      const mode = workModes.find(({ value }) => value === context.req.query("mode"))?.value;
      const typed = truncateToCharacters(location, maxLengths.location);
      return context.json(suggestFromLocation(typed, mode ?? null), 200, cacheHeaders);
    }
    const text = truncateToCharacters(context.req.query("q") ?? "", maxTextLength);
    const places = listPlacesByPrefix(text, maxPlaces).map(({ id, slug }) => ({
      id,
      slug,
      name: formatPlaceName(id),
    }));
    return context.json(places, 200, cacheHeaders);
  });
  return app;
}
