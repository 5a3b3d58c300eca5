import { and } from "drizzle-orm";
import type { Database } from "../../platform/database.server.ts";
import { readPage } from "../../platform/lists/list.server.ts";
import { buildCanonicalBoardAddress, buildFeedAddress, feedTypes } from "../filters/board-query.ts";
import type { JobFilter } from "../filters/job-filter.server.ts";
import { describeFilter } from "../board/board-head.server.ts";
import { withJobTexts } from "../job-facts.server.ts";
import { type JobTexts, payUnstated, type PublicJob, splitIntoParagraphs } from "../rules.ts";
import { isOpen, listed, newestFirst } from "../find.server.ts";
import { jobs } from "../tables.server.ts";

/** A job in a feed: the fields that a visitor sees on the board, and the time of the last change. */
type FeedEntry = PublicJob & JobTexts & { postedAt: Date; changedAt: Date };

/** A page of a feed, newest jobs first. `next` is the cursor for the next page. */
type Feed = { entries: FeedEntry[]; changedAt: Date | null; next: string | null };

const entriesPerPage = 50;

/** Loads the jobs that the board lists for a filter. Contacts are not read from the database. */
export async function loadFeed(db: Database, { condition, query }: JobFilter): Promise<Feed> {
  const page = await readPage(newestFirst, { cursor: query.after, size: entriesPerPage }, (part) =>
    db
      .select({ ...listed, description: jobs.description, updatedAt: jobs.updatedAt })
      .from(jobs)
      .where(and(isOpen, condition, part.where))
      .orderBy(...part.orderBy)
      .limit(part.limit),
  );
  const entries = page.rows.map(({ updatedAt, ...job }) => ({
    ...withJobTexts(job),
    changedAt: getChangedAt(job.postedAt, updatedAt),
  }));
  return {
    entries,
    changedAt: entries.reduce<Date | null>(
      (latest, one) => getChangedAt(one.changedAt, latest),
      null,
    ),
    next: page.next,
  };
}

function getChangedAt(one: Date, other: Date | null): Date {
  return other && other > one ? other : one;
}

/** The publisher named in a feed. */
type Publisher = { name: string; origin: string };

/** Renders a list of jobs as an Atom feed (RFC 4287), with paging links per RFC 5005. */
export function renderAtomFeed(feed: Feed, filter: JobFilter, { name, origin }: Publisher): string {
  const { query } = filter;
  const self = origin + buildFeedAddress("atom", query);
  const next = feed.next && origin + buildFeedAddress("atom", { ...query, after: feed.next });
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en-IN">',
    `<id>${escapeMarkup(self)}</id>`,
    `<title>${escapeMarkup(`${describeFilter(filter)} - ${name}`)}</title>`,
    // An empty list has no date of change, but the format requires one.
    `<updated>${(feed.changedAt ?? new Date(0)).toISOString()}</updated>`,
    `<author><name>${escapeMarkup(name)}</name></author>`,
    renderAtomLink("self", feedTypes.atom, self),
    renderAtomLink("alternate", "text/html", origin + buildCanonicalBoardAddress(query)),
    ...(next ? [renderAtomLink("next", feedTypes.atom, next)] : []),
    `<icon>${escapeMarkup(`${origin}/icon-192.png`)}</icon>`,
    ...feed.entries.map((entry) => renderAtomEntry(entry, origin)),
    "</feed>\n",
  ].join("\n");
}

function renderAtomEntry(entry: FeedEntry, origin: string): string {
  return [
    "<entry>",
    `<id>${formatEntryId(entry)}</id>`,
    `<title>${escapeMarkup(formatEntryTitle(entry))}</title>`,
    renderAtomLink("alternate", "text/html", `${origin}/jobs/${entry.id}`),
    `<published>${entry.postedAt.toISOString()}</published>`,
    `<updated>${entry.changedAt.toISOString()}</updated>`,
    `<author><name>${escapeMarkup(entry.company)}</name></author>`,
    `<category term="${escapeMarkup(entry.jobType)}"/>`,
    `<content type="html">${escapeMarkup(renderEntryHtml(entry))}</content>`,
    "</entry>",
  ].join("\n");
}

function renderAtomLink(rel: string, type: string, href: string): string {
  return `<link rel="${rel}" type="${type}" href="${escapeMarkup(href)}"/>`;
}

/** Renders a list of jobs as a JSON Feed (version 1.1). */
export function renderJsonFeed(feed: Feed, filter: JobFilter, publisher: Publisher): string {
  // The title contains the search text. Escaping "<" protects readers that parse the feed as HTML.
  return JSON.stringify(toJsonFeed(feed, filter, publisher)).replaceAll("<", "\\u003c");
}

function toJsonFeed(feed: Feed, filter: JobFilter, { name, origin }: Publisher) {
  const { query } = filter;
  return {
    version: "https://jsonfeed.org/version/1.1",
    title: `${describeFilter(filter)} - ${name}`,
    home_page_url: origin + buildCanonicalBoardAddress(query),
    feed_url: origin + buildFeedAddress("json", query),
    ...(feed.next && {
      next_url: origin + buildFeedAddress("json", { ...query, after: feed.next }),
    }),
    icon: `${origin}/icon-512.png`,
    favicon: `${origin}/icon-192.png`,
    language: "en-IN",
    authors: [{ name, url: `${origin}/` }],
    items: feed.entries.map((entry) => toJsonItem(entry, origin)),
  };
}

function toJsonItem(entry: FeedEntry, origin: string) {
  return {
    id: formatEntryId(entry),
    url: `${origin}/jobs/${entry.id}`,
    title: formatEntryTitle(entry),
    content_html: renderEntryHtml(entry),
    date_published: entry.postedAt.toISOString(),
    date_modified: entry.changedAt.toISOString(),
    authors: [{ name: entry.company }],
    tags: [entry.jobType],
  };
}

/** Formats a permanent id, which stays the same even if addresses change. */
function formatEntryId({ id }: FeedEntry): string {
  return `urn:uuid:${id}`;
}

function formatEntryTitle({ title, company }: FeedEntry): string {
  return `${title} at ${company}`;
}

/** Renders company, place, type and pay, then the summary, as HTML. */
function renderEntryHtml({ company, place, jobType, pay, description }: FeedEntry) {
  const facts = [company, place, jobType, pay ?? payUnstated];
  return [facts.join(" · "), ...splitIntoParagraphs(description)]
    .map((paragraph) => `<p>${escapeMarkup(paragraph)}</p>`)
    .join("");
}

/** Escapes text for XML or HTML. Characters that XML doesn't allow are removed. */
export function escapeMarkup(text: string): string {
  return text
    .toWellFormed()
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, "")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
