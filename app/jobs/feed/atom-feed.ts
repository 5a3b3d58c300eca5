import { canonicalBoardAddress, type BoardQuery, feedAddress } from "../board/board-query.ts";
import { entryHtml, entryId, entryTitle, escapeMarkup } from "./entry-copy.ts";
import type { Feed, FeedEntry } from "./read-feed.server.ts";
import { describeFilter, feedTypes } from "./copy.ts";

/** What a feed says of where it comes from. */
export type Publisher = { name: string; origin: string };

/** A list of jobs as an Atom feed (RFC 4287), its later pages linked as by RFC 5005. */
export function atomFeed(feed: Feed, query: BoardQuery, { name, origin }: Publisher): string {
  const self = origin + feedAddress("atom", query);
  const next = feed.next && origin + feedAddress("atom", { ...query, after: feed.next });
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en-IN">',
    `<id>${escapeMarkup(self)}</id>`,
    `<title>${escapeMarkup(`${describeFilter(query)} - ${name}`)}</title>`,
    // An empty list never changed; the format wants a date all the same.
    `<updated>${(feed.changedAt ?? new Date(0)).toISOString()}</updated>`,
    `<author><name>${escapeMarkup(name)}</name></author>`,
    link("self", feedTypes.atom, self),
    link("alternate", "text/html", origin + canonicalBoardAddress(query)),
    ...(next ? [link("next", feedTypes.atom, next)] : []),
    `<icon>${escapeMarkup(`${origin}/icon-192.png`)}</icon>`,
    ...feed.entries.map((entry) => atomEntry(entry, origin)),
    "</feed>\n",
  ].join("\n");
}

function atomEntry(entry: FeedEntry, origin: string): string {
  return [
    "<entry>",
    `<id>${entryId(entry)}</id>`,
    `<title>${escapeMarkup(entryTitle(entry))}</title>`,
    link("alternate", "text/html", `${origin}/jobs/${entry.id}`),
    `<published>${entry.postedAt.toISOString()}</published>`,
    `<updated>${entry.changedAt.toISOString()}</updated>`,
    `<author><name>${escapeMarkup(entry.company)}</name></author>`,
    `<category term="${escapeMarkup(entry.jobType)}"/>`,
    `<content type="html">${escapeMarkup(entryHtml(entry))}</content>`,
    "</entry>",
  ].join("\n");
}

function link(rel: string, type: string, href: string): string {
  return `<link rel="${rel}" type="${type}" href="${escapeMarkup(href)}"/>`;
}
