import { z } from "zod";
import { type PayPeriod, payPeriods, type WorkMode } from "../../jobs/details.ts";
import { toPlainText, decodeEscapedHtml, toListingTexts } from "./html-text.server.ts";
import {
  findBoard,
  findJobType,
  toCompensation,
  toLocationFields,
  toPayFields,
} from "./source-details.server.ts";
import { RowError, type SourceRow } from "./source-rows.server.ts";

/** A job without its line. Null is a job that its company doesn't show. */
type FoundRow = Omit<SourceRow, "line"> | null;

const text = z.string({
  error: ({ input }) => (input === undefined ? "is missing" : "must be text"),
});
const optional = text.nullish();
const amount = z.number("must be a number").nullish();

const greenhouseJob = z.object({
  id: z.union([z.number(), text], "must be a number"),
  title: text,
  absolute_url: text,
  location: z.object({ name: optional }).nullish(),
  content: optional,
});

/**
 * Reads a job of Greenhouse's Job Board API. It states neither the work mode nor the job type.
 *
 * @see https://developers.greenhouse.io/job-board.html
 */
export function readGreenhouseJob(value: unknown): FoundRow {
  const job = parseJob(greenhouseJob, value);
  if (!job.content)
    throw new RowError("It has no description. Download the jobs again with ?content=true.");
  return {
    externalId: String(job.id),
    board: findBoard(job.absolute_url, "greenhouse.io"),
    url: job.absolute_url,
    company: null,
    fields: {
      title: job.title,
      ...toLocationFields(job.location?.name ?? "", null),
      ...toListingTexts(toPlainText(decodeEscapedHtml(job.content))),
    },
  };
}

const leverJob = z.object({
  id: text,
  text,
  hostedUrl: text,
  categories: z
    .object({ location: optional, allLocations: z.array(text).nullish(), commitment: optional })
    .nullish(),
  workplaceType: optional,
  description: optional,
  lists: z.array(z.object({ text: optional, content: optional })).nullish(),
  additional: optional,
  salaryRange: z
    .object({ min: amount, max: amount, currency: optional, interval: optional })
    .nullish(),
});

/** Reads a job of Lever's Postings API. @see https://github.com/lever/postings-api */
export function readLeverJob(value: unknown): FoundRow {
  const { categories, salaryRange, ...job } = parseJob(leverJob, value);
  const locations = categories?.allLocations ?? [];
  const location = locations.length > 1 ? locations.join("; ") : (categories?.location ?? "");
  const lists = (job.lists ?? []).map(
    (list) => `<h3>${list.text ?? ""}</h3><ul>${list.content ?? ""}</ul>`,
  );
  const html = [job.description ?? "", ...lists, job.additional ?? ""].join("<br><br>");
  const period = /^per-([a-z]+)-/.exec(salaryRange?.interval ?? "")?.[1];
  return {
    externalId: job.id,
    board: findBoard(job.hostedUrl, "lever.co"),
    url: job.hostedUrl,
    company: null,
    fields: {
      title: job.text,
      ...toTypeField(categories?.commitment),
      ...toLocationFields(location, toWorkMode(job.workplaceType)),
      ...toListingTexts(toPlainText(html)),
      ...(salaryRange && toPayFields({ ...salaryRange, period: toPayPeriod(period) })),
    },
  };
}

const ashbyPay = z.object({
  compensationType: optional,
  interval: optional,
  currencyCode: optional,
  minValue: amount,
  maxValue: amount,
});

const ashbyJob = z.object({
  id: text,
  title: text,
  jobUrl: text,
  location: optional,
  secondaryLocations: z.array(z.object({ location: optional })).nullish(),
  isListed: z.boolean("must be true or false").nullish(),
  workplaceType: optional,
  employmentType: optional,
  descriptionHtml: optional,
  compensation: z
    .object({
      compensationTierSummary: optional,
      compensationTiers: z.array(z.object({ components: z.array(ashbyPay).nullish() })).nullish(),
    })
    .nullish(),
});

/**
 * Reads a job of Ashby's Job Postings API. Its `isRemote` is also true for hybrid work, so only `workplaceType` counts.
 *
 * @see https://developers.ashbyhq.com/docs/public-job-posting-api
 */
export function readAshbyJob(value: unknown): FoundRow {
  const { compensation, ...job } = parseJob(ashbyJob, value);
  if (job.isListed === false) return null;
  const others = (job.secondaryLocations ?? []).map((other) => other.location);
  const location = [job.location, ...others].filter(Boolean).join("; ");
  return {
    externalId: job.id,
    board: findBoard(job.jobUrl, "ashbyhq.com"),
    url: job.jobUrl,
    company: null,
    fields: {
      title: job.title,
      ...toTypeField(job.employmentType),
      ...toLocationFields(location, toWorkMode(job.workplaceType)),
      ...toListingTexts(toPlainText(job.descriptionHtml ?? "")),
      ...toCompensation(compensation?.compensationTierSummary),
      ...toAshbyPay(compensation?.compensationTiers ?? []),
    },
  };
}

/** Pay that differs by place is only in the text, since a listing has one range. */
function toAshbyPay(
  tiers: readonly { components?: z.infer<typeof ashbyPay>[] | null | undefined }[],
) {
  const salaries = tiers
    .flatMap(({ components }) => components ?? [])
    .filter(({ compensationType }) => compensationType === "Salary");
  const [salary] = salaries;
  if (!salary || salaries.length > 1) return {};
  const period = /^1 ([A-Z]+)$/.exec(salary.interval ?? "")?.[1]?.toLowerCase();
  return toPayFields({
    min: salary.minValue,
    max: salary.maxValue,
    currency: salary.currencyCode,
    period: toPayPeriod(period),
  });
}

/** @throws {RowError} that names the first wrong field */
function parseJob<Job>(schema: z.ZodType<Job>, value: unknown): Job {
  const { data, error } = schema.safeParse(value);
  if (error) {
    const [issue] = error.issues;
    throw new RowError(`${issue!.path.join(".") || "It"} ${issue!.message}.`);
  }
  return data;
}

function toTypeField(words: string | null | undefined): SourceRow["fields"] {
  const jobType = findJobType(words);
  return jobType ? { jobType } : {};
}

const workModes: Record<string, WorkMode> = {
  onsite: "on-site",
  "on-site": "on-site",
  hybrid: "hybrid",
  remote: "remote",
};

function toWorkMode(type: string | null | undefined): WorkMode | null {
  return workModes[(type ?? "").toLowerCase()] ?? null;
}

function toPayPeriod(name: string | undefined): PayPeriod | undefined {
  return payPeriods.find((period) => period === name);
}
