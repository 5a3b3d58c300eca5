import { z } from "zod";
import * as kinds from "./kinds.server.ts";
import type { Kind } from "./kinds.server.ts";

/** The documentation of a setting, except for its kind. */
export type About = {
  /** The effect, on one line. */
  about: string;
  /** The allowed values, to follow "must be". */
  mayBe: string;
  findFault?: Kind<z.ZodType>["findFault"];
  /** The default, or one for the demo and one for production, which may have none. */
  default?: string | { demo: string; real?: string };
  /** The effect of leaving it out, if it has no default. */
  otherwise?: string;
  /** Its value is never shown. */
  isSecret?: true;
  /** Required in production, which refuses the sample value. */
  inReal?: "required";
};

/** The documentation of every setting. */
export const aboutSettings = z.registry<About>();

const place = {
  ORIGIN: createOptionalSetting(kinds.origin, {
    about:
      "The public address. Unset or loopback runs a demo, any other address runs in production.",
    otherwise: "http://localhost:PORT",
  }),
  PORT: createSetting(kinds.port, { about: "The port to listen on.", default: "3000" }),
  HOST: createSetting(kinds.host, {
    about: "The address to listen on.",
    default: { demo: "127.0.0.1", real: "0.0.0.0" },
  }),
  DATA_DIR: createSetting(kinds.folder, {
    about: "The folder for files, unfinished uploads and the embedded database.",
    default: ".data",
  }),
  DATABASE_URL: createOptionalSetting(kinds.postgresUrl, {
    about: "A PostgreSQL database, version 15 or newer.",
    otherwise: "an embedded PostgreSQL",
    isSecret: true,
    inReal: "required",
  }),
  PAGE_TIMEOUT: createSetting(kinds.createNumberKind(1, 120, "a number of seconds"), {
    about: "The time in seconds after which a page that waits for the database answers 503.",
    default: "5",
  }),
  SECRET: createSetting(kinds.keys, {
    about:
      "Keys for the signatures in emailed links, the cookies of known devices and the challenges of passkeys. The first key signs, all keys verify: add a new key at the front.",
    default: "demonstration only: cookies of a loopback origin",
    isSecret: true,
    inReal: "required",
  }),
  TRUSTED_PROXIES: createOptionalSetting(kinds.networks, {
    about: "Proxies that may state the client's address.",
    otherwise: "none",
  }),
};

const signingIn = {
  SIGN_IN_AGAIN: createSetting(kinds.createChoiceKind("required", "off"), {
    about: "With required, changes to accounts need proof of identity from the last 15 minutes.",
    default: { demo: "off", real: "required" },
  }),
  STAFF_SECOND_FACTOR: createSetting(kinds.createChoiceKind("required", "optional"), {
    about:
      "With required, staff have a week to set up an authenticator app or a passkey. After that their screens are locked until they do.",
    default: { demo: "optional", real: "required" },
  }),
  SECOND_FACTOR_KEYS: createSetting(kinds.keys, {
    about:
      "Keys for secrets of authenticator apps and the PANs of reviewers. The first key encrypts, all keys decrypt: add a new key at the front.",
    default: "demonstration only: seals the codes of a loopback origin",
    isSecret: true,
    inReal: "required",
  }),
};

const manyProcesses = {
  ROLE: createSetting(kinds.createChoiceKind("all", "web", "worker"), {
    about: "The work of this process: web answers requests, worker runs tasks.",
    default: "all",
  }),
  DATABASE_DIRECT_URL: createOptionalSetting(kinds.postgresUrl, {
    about: "The same database without its pooler, for work that needs its own connection.",
    otherwise: "DATABASE_URL, without a pooler",
    isSecret: true,
  }),
  S3_ENDPOINT: createOptionalSetting(kinds.serviceAddress, {
    about: "An S3-compatible service that stores the files of all processes.",
    otherwise: "files are in DATA_DIR",
  }),
  S3_BUCKET: createOptionalSetting(kinds.bucketName, {
    about: "The bucket. It must exist, be private and hold nothing else.",
    otherwise: "files are in DATA_DIR",
  }),
  S3_REGION: createSetting(kinds.createTextKind({ max: 60 }), {
    about: "The region of the bucket, if the service has regions.",
    default: "us-east-1",
  }),
  S3_ACCESS_KEY_ID: createOptionalSetting(kinds.createTextKind({ max: 200 }), {
    about: "A key that may read, write, list and delete in the bucket.",
    otherwise: "files are in DATA_DIR",
  }),
  S3_SECRET_ACCESS_KEY: createOptionalSetting(kinds.createTextKind({ max: 1000 }), {
    about: "The secret of that key.",
    otherwise: "files are in DATA_DIR",
    isSecret: true,
  }),
  S3_PATH_STYLE: createSetting(kinds.createChoiceKind("on", "off"), {
    about: "With on, addresses have the bucket in their path instead of their host.",
    default: "off",
  }),
  SPOOL_MEGABYTES: createSetting(kinds.createNumberKind(64, 1_000_000, "a number"), {
    about: "With S3, the limit in megabytes for uploads that pass through DATA_DIR. Others wait.",
    default: "1024",
  }),
};

const mail = {
  SMTP_URL: createOptionalSetting(kinds.smtpUrl, {
    about:
      "The mail server: smtps://, or smtp:// with STARTTLS. Only loopback may go without encryption.",
    otherwise: "the demo inbox",
    isSecret: true,
    inReal: "required",
  }),
  MAIL_FROM: createSetting(kinds.sender, {
    about: "The sender of every email.",
    default: "Naksha <hello@naksha.example>",
    inReal: "required",
  }),
};

const payments = {
  PAYU_KEY: createOptionalSetting(kinds.createTextKind({ max: 100 }), {
    about: "The merchant's key.",
    otherwise: "the test payment page",
    isSecret: true,
    inReal: "required",
  }),
  PAYU_SALT: createOptionalSetting(kinds.createTextKind({ max: 1000 }), {
    about: "The merchant's salt.",
    otherwise: "the test payment page",
    isSecret: true,
    inReal: "required",
  }),
  PAYU_ENVIRONMENT: createOptionalSetting(kinds.createChoiceKind("test", "live"), {
    about: "With live, payments are real. It has no default.",
    otherwise: "the test payment page",
    inReal: "required",
  }),
  PAYU_PLACEHOLDER_PHONE: createSetting(kinds.phoneDigits, {
    about: "Sent to PayU when the payer gives no phone number.",
    default: "9999999999",
  }),
  PAYU_STAND_IN_PORT: createOptionalSetting(kinds.firstPort, {
    about: "The port of the test payment page. Its test bank uses the next port.",
    otherwise: "PORT + 1",
  }),
};

const product = {
  PRODUCT_NAME: createSetting(kinds.createTextKind({ max: 40 }), {
    about: "The name of the product.",
    default: "Naksha",
  }),
  MERCHANT_NAME: createSetting(kinds.createTextKind({ max: 100 }), {
    about: "The seller's name on the legal pages.",
    default: "Sample Merchant (sole proprietor)",
    inReal: "required",
  }),
  MERCHANT_ADDRESS: createSetting(kinds.createTextKind({ max: 200 }), {
    about: "The seller's postal address, on the contact and legal pages and on receipts.",
    default: "1 Sample Street, Jaipur, Rajasthan 302001",
    inReal: "required",
  }),
  GRIEVANCE_OFFICER_NAME: createSetting(kinds.createTextKind({ max: 100 }), {
    about: "The person who is responsible for complaints.",
    default: "Leela Example",
    inReal: "required",
  }),
  GRIEVANCE_OFFICER_TITLE: createSetting(kinds.createTextKind({ max: 100 }), {
    about: "That person's job title.",
    default: "Grievance Officer (example)",
    inReal: "required",
  }),
  GRIEVANCE_OFFICER_EMAIL: createSetting(kinds.mailAddress, {
    about: "That person's email address.",
    default: "grievances@naksha.example",
    inReal: "required",
  }),
  GRIEVANCE_OFFICER_PHONE: createSetting(kinds.phone, {
    about: "That person's phone number.",
    default: "+91 00000 00001",
    inReal: "required",
  }),
  GSTIN: createOptionalSetting(kinds.gstin, {
    about:
      "The seller's GST number, on the contact and legal pages and on receipts. With it, buyers give their State and get an invoice (docs/tax.md).",
    otherwise: "the seller isn't registered for GST",
  }),
  MERCHANT_STATE: createOptionalSetting(kinds.indianState, {
    about: "The State where the seller is registered for GST.",
    otherwise: "the seller isn't registered for GST",
  }),
  GST_RATE: createSetting(kinds.createNumberKind(1, 40, "a percentage"), {
    about: "The rate of GST that the prices include, if the seller is registered.",
    default: "18",
  }),
  SAC_REVIEW: createOptionalSetting(kinds.serviceCode, {
    about: "The service accounting code of a review, on receipts and invoices.",
    otherwise: "the seller isn't registered for GST",
  }),
  SAC_LISTING: createOptionalSetting(kinds.serviceCode, {
    about:
      "The service accounting code of a company's listing, on receipts and invoices. Required with GSTIN and LISTING_PRICE.",
    otherwise: "listings are free, or the seller isn't registered for GST",
  }),
  SUPPORT_PHONE: createSetting(kinds.phone, {
    about: "Shown in the footer and on the contact page.",
    default: "+91 00000 00000",
    inReal: "required",
  }),
  SUPPORT_EMAIL: createSetting(kinds.mailAddress, {
    about: "Shown next to the phone number. Messages and reports to support go there.",
    default: "support@naksha.example",
    inReal: "required",
  }),
  SOCIAL_LINKEDIN: createSetting(kinds.webAddress, {
    about: "Linked in the footer.",
    default: "https://www.linkedin.com/",
  }),
  SOCIAL_INSTAGRAM: createSetting(kinds.webAddress, {
    about: "Linked in the footer.",
    default: "https://www.instagram.com/",
  }),
  TESTIMONIALS: createOptionalSetting(kinds.testimonials, {
    about: "Customer quotes: the first two for the home page, the last two for the services page.",
    otherwise: "four labelled samples",
  }),
};

const prices = {
  PRICE_RESUME: createSetting(kinds.rupees, {
    about: "The price of a resume review in rupees.",
    default: "199",
  }),
  PRICE_PORTFOLIO: createSetting(kinds.rupees, {
    about: "The price of a portfolio review in rupees.",
    default: "199",
  }),
  PRICE_COMBINED: createSetting(kinds.rupees, {
    about:
      "The price of a combined review in rupees. It must be less than both reviews separately.",
    default: "299",
  }),
  PRICE_SECOND_LOOK_ONE: createOptionalSetting(kinds.rupees, {
    about: "The price of a second look at a resume or a portfolio in rupees.",
    otherwise: "not offered",
    default: { demo: "99" },
  }),
  PRICE_SECOND_LOOK_BOTH: createOptionalSetting(kinds.rupees, {
    about: "The price of a second look at a combined review in rupees.",
    otherwise: "not offered",
    default: { demo: "149" },
  }),
  SECOND_LOOK_DAYS: createSetting(kinds.createNumberKind(1, 365, "a number of days"), {
    about: "A completed review can get a second look for this long.",
    default: "60",
  }),
};

const fees = {
  FEE_RESUME: createOptionalSetting(kinds.rupees, {
    about: "A reviewer's fee for a resume review in rupees. Needs the other two fees.",
    otherwise: "fees are hidden",
    default: { demo: "80" },
  }),
  FEE_PORTFOLIO: createOptionalSetting(kinds.rupees, {
    about: "A reviewer's fee for a portfolio review in rupees.",
    otherwise: "fees are hidden",
    default: { demo: "90" },
  }),
  FEE_COMBINED: createOptionalSetting(kinds.rupees, {
    about: "A reviewer's fee for a combined review in rupees.",
    otherwise: "fees are hidden",
    default: { demo: "140" },
  }),
  FEE_SECOND_LOOK: createOptionalSetting(kinds.rupees, {
    about: "A reviewer's fee for a second look in rupees, where fees are set.",
    otherwise: "the fee of a first review",
    default: { demo: "50" },
  }),
  PAN_FROM: createSetting(kinds.rupees, {
    about:
      "Reviewers whose fees in a financial year reach this amount in rupees are asked for their PAN.",
    default: "40000",
  }),
};

const jobs = {
  JOBS_CHECK_DAYS: createSetting(kinds.createNumberKind(1, 90, "a number of days"), {
    about: "After this long, we ask again if a job on the board is still open.",
    default: "14",
  }),
  JOBS_LAPSE: createSetting(kinds.createChoiceKind("company", "all"), {
    about:
      "The listings that leave the board a week after an overdue check: only those of companies and subscribers, or all.",
    default: "company",
  }),
  LISTING_PRICE: createOptionalSetting(kinds.rupees, {
    about:
      "The price of a company's listing in rupees, which the company pays after an admin has approved it.",
    otherwise: "listings are free",
  }),
};

const storing = {
  RETENTION_YEARS_ORDERS: createSetting(kinds.createNumberKind(1, 50, "a number of years"), {
    about: "Payments of a closed or deleted account are deleted after this long.",
    default: "8",
  }),
  ERASE_AFTER_MONTHS: createSetting(kinds.createNumberKind(0, 120, "a number of months"), {
    about:
      "An account that nobody uses for this long is closed, after an email 30 days before. Accounts of staff stay. With 0, none is closed.",
    default: "0",
  }),
};

const operation = {
  LOG_LEVEL: createSetting(
    kinds.createChoiceKind("silent", "fatal", "error", "warn", "info", "debug", "trace"),
    {
      about: "With info, debug or trace, each request is logged.",
      default: { demo: "warn", real: "info" },
    },
  ),
  RATE_LIMITS: createSetting(kinds.createChoiceKind("on", "off"), {
    about: "With off, there are no rate limits, for a load test.",
    default: "on",
  }),
  DEMO_PAGES: createSetting(kinds.createChoiceKind("on", "off"), {
    about:
      "With on, a demo renders the pages of its reviews while it loads. Production ignores this.",
    default: "on",
  }),
  METRICS_PORT: createOptionalSetting(kinds.port, {
    about: "The port that serves /metrics to Prometheus.",
    otherwise: "no metrics",
  }),
  METRICS_HOST: createSetting(kinds.host, {
    about: "The address to listen on for metrics.",
    default: "127.0.0.1",
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: createOptionalSetting(kinds.collectorAddress, {
    about: "A trace collector that speaks OTLP over HTTP.",
    otherwise: "no traces",
  }),
  OTEL_EXPORTER_OTLP_HEADERS: createOptionalSetting(kinds.headers, {
    about: "Headers for requests to the collector, such as an API key.",
    otherwise: "none",
    isSecret: true,
  }),
  OTEL_SERVICE_NAME: createSetting(kinds.createTextKind({ max: 60 }), {
    about: "The name of this installation in traces.",
    default: "naksha",
  }),
  OTEL_TRACES_SAMPLER_ARG: createSetting(kinds.share, {
    about: "The share of requests and tasks that are traced.",
    default: "1",
  }),
  DRAIN_SECONDS: createSetting(kinds.createNumberKind(0, 300, "a number of seconds"), {
    about:
      "After SIGTERM, requests are answered for this long while /readyz fails, so that a proxy sends new ones elsewhere.",
    default: { demo: "0", real: "5" },
  }),
};

/** Every environment variable that the product reads, grouped by topic. */
export const settingGroups = {
  "Where it runs": place,
  "Signing in": signingIn,
  "Multiple processes": manyProcesses,
  Email: mail,
  Payments: payments,
  "Page content": product,
  Prices: prices,
  "Fees of reviewers": fees,
  "Job board": jobs,
  "How long data is stored": storing,
  Operation: operation,
};

/** The schema that parses the environment. Empty texts are removed first. */
export const settings = z.object({
  ...place,
  ...signingIn,
  ...manyProcesses,
  ...mail,
  ...payments,
  ...product,
  ...prices,
  ...fees,
  ...jobs,
  ...storing,
  ...operation,
});

export type Settings = z.infer<typeof settings>;
export type SettingName = keyof Settings;

/** Groups of settings that work only together: if one is set, all are required. */
export const together: SettingName[][] = [
  ["PAYU_KEY", "PAYU_SALT", "PAYU_ENVIRONMENT"],
  ["GSTIN", "MERCHANT_STATE", "SAC_REVIEW"],
  ["FEE_RESUME", "FEE_PORTFOLIO", "FEE_COMBINED"],
  ["S3_ENDPOINT", "S3_BUCKET", "S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY"],
];

function createSetting<Schema extends z.ZodType>(
  { schema, ...kind }: Kind<Schema>,
  about: Omit<About, keyof Kind<Schema>> & Required<Pick<About, "default">>,
): Schema {
  // A copy, since several settings may share a kind.
  const own = schema.clone();
  aboutSettings.add(own, { ...kind, ...about });
  return own;
}

function createOptionalSetting<Schema extends z.ZodType>(
  { schema, ...kind }: Kind<Schema>,
  about: Omit<About, keyof Kind<Schema> | "default"> &
    Required<Pick<About, "otherwise">> & { default?: { demo: string } },
): z.ZodOptional<Schema> {
  const own = schema.optional();
  aboutSettings.add(own, { ...kind, ...about });
  return own;
}
