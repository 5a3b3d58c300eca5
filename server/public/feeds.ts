import { Hono } from "hono";
import {
  type BoardQuery,
  feedAddress,
  feedTypes,
  readBoardQuery,
} from "../../app/jobs/board/board-query.ts";
import { atomFeed, jsonFeed, readFeed } from "../../app/jobs/feed/feed.server.ts";
import type { Env } from "../http/request.ts";
import type { Services } from "../services.ts";

const write = { atom: atomFeed, json: jsonFeed };
/** Readers of feeds ask every few minutes, whatever they are told. */
const maxAge = 300;

/** The jobs of any filter of the board as feeds; addresses are read as the board reads them. */
export function feeds({ app: { config, db }, documents }: Services): Hono<Env> {
  const app = new Hono<Env>();
  const publisher = { name: config.product.name, origin: config.origin };
  for (const format of ["atom", "json"] as const) {
    app.get(`/jobs/feed.${format}`, (context) => {
      const query = readBoardQuery(new URL(context.req.url).searchParams);
      return documents.send(context, { key: keyOf(query), maxAge }, async () => {
        const feed = await readFeed(db, query);
        const text = write[format](feed, query, publisher);
        return { type: `${feedTypes[format]}; charset=utf-8`, text, changedAt: feed.changedAt };
      });
    });
    const keyOf = (query: BoardQuery) => feedAddress(format, query);
  }
  return app;
}
