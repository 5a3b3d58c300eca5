import { type BoardQuery, canonicalBoardAddress, feedAddress } from "../board/board-query.ts";
import type { Publisher } from "./atom-feed.ts";
import { entryHtml, entryId, entryTitle } from "./entry-copy.ts";
import type { Feed, FeedEntry } from "./read-feed.server.ts";
import { describeFilter } from "./copy.ts";

/** A list of jobs as a JSON Feed (version 1.1). */
export function jsonFeed(feed: Feed, query: BoardQuery, publisher: Publisher): string {
  // A search is part of the title: whoever takes this for a page finds no element in it.
  return JSON.stringify(asJson(feed, query, publisher)).replaceAll("<", "\\u003c");
}

function asJson(feed: Feed, query: BoardQuery, { name, origin }: Publisher) {
  return {
    version: "https://jsonfeed.org/version/1.1",
    title: `${describeFilter(query)} - ${name}`,
    home_page_url: origin + canonicalBoardAddress(query),
    feed_url: origin + feedAddress("json", query),
    ...(feed.next && { next_url: origin + feedAddress("json", { ...query, after: feed.next }) }),
    icon: `${origin}/icon-512.png`,
    favicon: `${origin}/icon-192.png`,
    language: "en-IN",
    authors: [{ name, url: `${origin}/` }],
    items: feed.entries.map((entry) => jsonItem(entry, origin)),
  };
}

function jsonItem(entry: FeedEntry, origin: string) {
  return {
    id: entryId(entry),
    url: `${origin}/jobs/${entry.id}`,
    title: entryTitle(entry),
    content_html: entryHtml(entry),
    date_published: entry.postedAt.toISOString(),
    date_modified: entry.changedAt.toISOString(),
    authors: [{ name: entry.company }],
    tags: [entry.jobType],
  };
}
