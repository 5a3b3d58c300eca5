import { Readable, pipeline } from "node:stream";
import { createGzip } from "node:zlib";
import { type Context, Hono } from "hono";
import {
  loadSitemapRun,
  listSitemapRuns,
  type SitemapJob,
  type SitemapRun,
} from "../../app/jobs/feed/sitemap.server.ts";
import { listCompanyPaths } from "../../app/jobs/companies/find-companies.server.ts";
import { listFilterAddresses } from "../../app/jobs/filters/listed-filters.server.ts";
import type { Database } from "../../app/platform/database.server.ts";
import { selectEncoding } from "../http/bodies.ts";
import { forEverySite, isFresh } from "../cache/documents.ts";
import type { PublicPage } from "../../app/ui/meta.ts";
import type { Env } from "../http/request.ts";
import type { Services } from "../services/services.ts";

const type = "application/xml; charset=utf-8";
const declaration = '<?xml version="1.0" encoding="UTF-8"?>';
const namespace = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';
const maxAge = 3600;

/** Serves the sitemap index, the sitemap of the pages, and those of the open jobs. */
export function createSitemapRoutes(services: Services): Hono<Env> {
  const {
    app: { config },
    patientDb: db,
    documents,
    screens,
  } = services;
  const { origin } = config;
  const app = new Hono<Env>();
  const runs = () => documents.sitemapRuns(() => listSitemapRuns(db));
  app.get("/sitemap.xml", (context) =>
    documents.send(context, { key: "/sitemap.xml", maxAge }, async () => ({
      type,
      text: renderSitemapIndex(origin, await runs()),
    })),
  );
  app.get("/sitemaps/pages.xml", (context) =>
    documents.send(context, { key: "/sitemaps/pages.xml", maxAge }, async () => ({
      type,
      text: renderPagesSitemap(origin, screens.pages, [
        ...(await listFilterAddresses(db)),
        ...(await listCompanyPaths(db)),
      ]),
    })),
  );
  app.get("/sitemaps/:file{jobs-[1-9][0-9]{0,5}\\.xml}", async (context) => {
    const place = Number(/\d+/.exec(context.req.param("file"))?.[0]);
    const run = (await runs())[place - 1];
    return run ? sendRun(context, db, run, origin) : context.text("Not found", 404);
  });
  return app;
}

function renderSitemapIndex(origin: string, runs: SitemapRun[]): string {
  const files = [
    renderSitemapEntry("sitemap", `${origin}/sitemaps/pages.xml`),
    ...runs.map((run, place) =>
      renderSitemapEntry(
        "sitemap",
        `${origin}/sitemaps/jobs-${place + 1}.xml`,
        run.changedAt.toISOString(),
      ),
    ),
  ];
  return `${declaration}\n<sitemapindex ${namespace}>\n${files.join("")}</sitemapindex>\n`;
}

/** @param others the paths of filtered lists and of companies */
function renderPagesSitemap(origin: string, pages: PublicPage[], others: string[]): string {
  const entries = [
    ...pages.map(({ path, dated }) => renderSitemapEntry("url", origin + path, dated)),
    ...others.map((address) => renderSitemapEntry("url", origin + address)),
  ];
  return `${declaration}\n<urlset ${namespace}>\n${entries.join("")}</urlset>\n`;
}

/** Streams a run, so that fifty thousand URLs take little memory. */
function sendRun(context: Context, db: Database, run: SitemapRun, origin: string): Response {
  const etag = `W/"${run.fingerprint}"`;
  const headers = {
    "Cache-Control": `public, max-age=${maxAge}`,
    ETag: etag,
    "Last-Modified": run.changedAt.toUTCString(),
    Vary: "Accept-Encoding",
    ...forEverySite,
  };
  if (isFresh(context, etag.slice(2), run.changedAt))
    return new Response(null, { status: 304, headers });
  const zipped = selectEncoding(context.req.header("accept-encoding") ?? "", ["gzip"]) === "gzip";
  const responseHeaders = {
    ...headers,
    "Content-Type": type,
    ...(zipped && { "Content-Encoding": "gzip" }),
  };
  if (context.req.method === "HEAD") return new Response(null, { headers: responseHeaders });
  const xml = Readable.from(runAsXml(loadSitemapRun(db, run), origin));
  // Unlike `compose`, `pipeline` throws no error outside the request if the client disconnects.
  const bytes = zipped ? pipeline(xml, createGzip(), () => {}) : xml;
  return new Response(Readable.toWeb(bytes) as ReadableStream, { headers: responseHeaders });
}

async function* runAsXml(parts: AsyncGenerator<SitemapJob[]>, origin: string) {
  yield `${declaration}\n<urlset ${namespace}>\n`;
  for await (const jobs of parts) {
    yield jobs
      .map((job) =>
        renderSitemapEntry("url", `${origin}/jobs/${job.id}`, job.changedAt.toISOString()),
      )
      .join("");
  }
  yield "</urlset>\n";
}

/** Needs no escaping, because the URLs consist only of our own ids and paths. */
function renderSitemapEntry(tag: "url" | "sitemap", address: string, changed?: string): string {
  const lastmod = changed ? `<lastmod>${changed}</lastmod>` : "";
  return `<${tag}><loc>${address}</loc>${lastmod}</${tag}>\n`;
}
