import { and } from "drizzle-orm";
import type { Database } from "../../platform/database.server.ts";
import { readPage } from "../../platform/list.server.ts";
import { type BoardQuery, canonicalBoardAddress, feedAddress, feedTypes } from "../board-query.ts";
import { describeFilter } from "../pages.ts";
import { paragraphs, type PublicJob } from "../rules.ts";
import { isOpen, listed, matches, newestFirst } from "../find.server.ts";
import { jobs } from "../tables.server.ts";

/** A job as a feed tells of it: what a visitor sees on the board, and when it changed. */
type FeedEntry = PublicJob & { postedAt: Date; changedAt: Date };

/** One page of a feed, the newest jobs first. `next` is the cursor of the page behind it. */
type Feed = { entries: FeedEntry[]; changedAt: Date | null; next: string | null };

const entriesPerPage = 50;

/** Reads the jobs that the board lists for this; contacts are not even read. */
export async function readFeed(
  db: Database,
  { search, type, after }: Pick<BoardQuery, "search" | "type" | "after">,
): Promise<Feed> {
  const page = await readPage(newestFirst, { cursor: after, size: entriesPerPage }, (part) =>
    db
      .select({ ...listed, description: jobs.description, updatedAt: jobs.updatedAt })
      .from(jobs)
      .where(and(isOpen, matches({ search, type }), part.where))
      .orderBy(...part.orderBy)
      .limit(part.limit),
  );
  const entries = page.rows.map(({ updatedAt, ...job }) => ({
    ...job,
    changedAt: later(job.postedAt, updatedAt),
  }));
  return {
    entries,
    changedAt: entries.reduce<Date | null>((latest, one) => later(one.changedAt, latest), null),
    next: page.next,
  };
}

function later(one: Date, other: Date | null): Date {
  return other && other > one ? other : one;
}

/** What a feed says of where it comes from. */
type Publisher = { name: string; origin: string };

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

/** Names a job for ever, whatever becomes of the addresses. */
function entryId({ id }: FeedEntry): string {
  return `urn:uuid:${id}`;
}

function entryTitle({ title, company }: FeedEntry): string {
  return `${title} at ${company}`;
}

/** The place, the type and the pay, then the summary, as HTML. */
function entryHtml({ company, location, jobType, compensation, description }: FeedEntry) {
  const facts = [company, location, jobType, compensation].filter((fact) => fact !== null);
  return [facts.join(" · "), ...paragraphs(description)]
    .map((paragraph) => `<p>${escapeMarkup(paragraph)}</p>`)
    .join("");
}

/** A text in XML or HTML. Characters that XML has no way to write are left out. */
export function escapeMarkup(text: string): string {
  return text
    .toWellFormed()
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, "")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
