import { z } from "zod";
import * as kinds from "./kinds.server.ts";
import type { Kind } from "./kinds.server.ts";

/** The documentation of a setting, except for its kind. */
export type About = {
  /** Its effect, on one line. */
  about: string;
  /** The allowed values, in words that follow "must be". */
  mayBe: string;
  /** Its text where none is given; two of them where real operation has another. */
  default?: string | { demo: string; real: string };
  /** The effect of leaving it out, where no default can say that. */
  otherwise?: string;
  /** Never repeated in a message. */
  isSecret?: true;
  /** Required in real operation, which takes no sample either. */
  inReal?: "required";
};

/** The documentation of every setting. */
export const aboutSettings = z.registry<About>();

const place = {
  ORIGIN: createOptionalSetting(kinds.origin, {
    about:
      "The public address. Unset or loopback means a demonstration, any other means real operation.",
    otherwise: "http://localhost:PORT",
  }),
  PORT: createSetting(kinds.port, { about: "Where to listen.", default: "3000" }),
  HOST: createSetting(kinds.host, {
    about: "The address to listen at.",
    default: { demo: "127.0.0.1", real: "0.0.0.0" },
  }),
  DATA_DIR: createSetting(kinds.folder, {
    about: "Files, unfinished uploads and the embedded database lie in it.",
    default: ".data",
  }),
  DATABASE_URL: createOptionalSetting(kinds.postgresUrl, {
    about: "Any PostgreSQL from version 15.",
    otherwise: "an embedded PostgreSQL",
    isSecret: true,
    inReal: "required",
  }),
  SECRET: createSetting(kinds.createTextKind({ least: 32, most: 1000 }), {
    about: "Makes the marks by which known devices, and what passkeys sign, are recognised.",
    default: "demonstration only: cookies of a loopback origin",
    isSecret: true,
    inReal: "required",
  }),
  TRUSTED_PROXIES: createOptionalSetting(kinds.networks, {
    about: "Requests that come through these proxies may state the client's address.",
    otherwise: "none",
  }),
};

const signingIn = {
  SIGN_IN_AGAIN: createSetting(kinds.createChoiceKind("required", "off"), {
    about:
      "With required, what is done to accounts needs a proof of who one is, 15 minutes old at most.",
    default: { demo: "off", real: "required" },
  }),
  STAFF_SECOND_FACTOR: createSetting(kinds.createChoiceKind("required", "optional"), {
    about:
      "With required, staff have a week to set up an app or a passkey; then their screens wait for it.",
    default: { demo: "optional", real: "required" },
  }),
  SECOND_FACTOR_KEYS: createSetting(kinds.keys, {
    about:
      "Seal what makes the codes. The first one seals, all open: put a new one before the old.",
    default: "demonstration only: seals the codes of a loopback origin",
    isSecret: true,
    inReal: "required",
  }),
};

const manyProcesses = {
  ROLE: createSetting(kinds.createChoiceKind("all", "web", "worker"), {
    about: "What this process does: web answers requests, worker does tasks.",
    default: "all",
  }),
  DATABASE_DIRECT_URL: createOptionalSetting(kinds.postgresUrl, {
    about: "The same database past a pooler: for what needs a connection of its own.",
    otherwise: "DATABASE_URL, without a pooler",
    isSecret: true,
  }),
  S3_ENDPOINT: createOptionalSetting(kinds.serviceAddress, {
    about: "A service that speaks S3, where files are kept for all processes.",
    otherwise: "files are in DATA_DIR",
  }),
  S3_BUCKET: createOptionalSetting(kinds.bucketName, {
    about: "The bucket, which must be there, is private, and holds nothing else.",
    otherwise: "files are in DATA_DIR",
  }),
  S3_REGION: createSetting(kinds.createTextKind({ most: 60 }), {
    about: "The region of the bucket, where the service has any.",
    default: "us-east-1",
  }),
  S3_ACCESS_KEY_ID: createOptionalSetting(kinds.createTextKind({ most: 200 }), {
    about: "May read, write, list and delete in the bucket.",
    otherwise: "files are in DATA_DIR",
  }),
  S3_SECRET_ACCESS_KEY: createOptionalSetting(kinds.createTextKind({ most: 1000 }), {
    about: "Its secret.",
    otherwise: "files are in DATA_DIR",
    isSecret: true,
  }),
  S3_PATH_STYLE: createSetting(kinds.createChoiceKind("on", "off"), {
    about: "With on, the bucket stands in the path of addresses and not in their host.",
    default: "off",
  }),
  SPOOL_MEGABYTES: createSetting(kinds.createNumberKind(64, 1_000_000, "a number"), {
    about: "With S3, what of uploads may lie in DATA_DIR for a moment; more has to wait.",
    default: "1024",
  }),
};

const mail = {
  SMTP_URL: createOptionalSetting(kinds.smtpUrl, {
    about:
      "Where mail goes out: by smtps://, or by smtp:// with STARTTLS, which only loopback may do without.",
    otherwise: "the captured mailbox",
    isSecret: true,
    inReal: "required",
  }),
  MAIL_FROM: createSetting(kinds.sender, {
    about: "The sender of every mail.",
    default: "Naksha <hello@naksha.example>",
    inReal: "required",
  }),
};

const payments = {
  PAYU_KEY: createOptionalSetting(kinds.createTextKind({ most: 100 }), {
    about: "The merchant's key.",
    otherwise: "the PayU stand-in",
    isSecret: true,
    inReal: "required",
  }),
  PAYU_SALT: createOptionalSetting(kinds.createTextKind({ most: 1000 }), {
    about: "The merchant's salt.",
    otherwise: "the PayU stand-in",
    isSecret: true,
    inReal: "required",
  }),
  PAYU_ENVIRONMENT: createOptionalSetting(kinds.createChoiceKind("test", "live"), {
    about: "With live, money moves. It is never assumed.",
    otherwise: "the PayU stand-in",
    inReal: "required",
  }),
  PAYU_PLACEHOLDER_PHONE: createSetting(kinds.phoneDigits, {
    about: "Sent to PayU when the payer gives no phone number.",
    default: "9999999999",
  }),
  PAYU_STAND_IN_PORT: createOptionalSetting(kinds.firstPort, {
    about: "The stand-in listens on it and on the next.",
    otherwise: "PORT + 1",
  }),
};

const product = {
  PRODUCT_NAME: createSetting(kinds.createTextKind({ most: 40 }), {
    about: "What the product is called.",
    default: "Naksha",
  }),
  MERCHANT_NAME: createSetting(kinds.createTextKind({ most: 100 }), {
    about: "Who sells, as the legal pages name them.",
    default: "Sample Merchant (sole proprietor)",
    inReal: "required",
  }),
  SUPPORT_PHONE: createSetting(kinds.phone, {
    about: "Shown in the footer and on the contact page.",
    default: "+91 00000 00000",
    inReal: "required",
  }),
  SUPPORT_EMAIL: createSetting(kinds.mailAddress, {
    about: "Shown beside it; messages and reports to support go there.",
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
    about:
      "What customers said: the first two for the home page, the last two for the services page.",
    otherwise: "four that the pages call samples",
  }),
};

const operation = {
  LOG_LEVEL: createSetting(
    kinds.createChoiceKind("silent", "fatal", "error", "warn", "info", "debug", "trace"),
    {
      about: "From info on, each request is a line.",
      default: { demo: "warn", real: "info" },
    },
  ),
  RATE_LIMITS: createSetting(kinds.createChoiceKind("on", "off"), {
    about: "With off there are none, for a load test.",
    default: "on",
  }),
  DEMO_PAGES: createSetting(kinds.createChoiceKind("on", "off"), {
    about:
      "With on, a demonstration renders the pages of its reviews once it has started. Real operation ignores it.",
    default: "on",
  }),
  METRICS_PORT: createOptionalSetting(kinds.port, {
    about: "Where Prometheus reads the metrics, at /metrics.",
    otherwise: "no metrics",
  }),
  METRICS_HOST: createSetting(kinds.host, {
    about: "The address to listen at for it.",
    default: "127.0.0.1",
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: createOptionalSetting(kinds.collectorAddress, {
    about: "A collector that takes traces by OTLP over HTTP.",
    otherwise: "no traces",
  }),
  OTEL_EXPORTER_OTLP_HEADERS: createOptionalSetting(kinds.headers, {
    about: "What the collector wants in the headers of each request, such as a key.",
    otherwise: "none",
    isSecret: true,
  }),
  OTEL_SERVICE_NAME: createSetting(kinds.createTextKind({ most: 60 }), {
    about: "As what this installation stands in the traces.",
    default: "naksha",
  }),
  OTEL_TRACES_SAMPLER_ARG: createSetting(kinds.share, {
    about: "How many of all requests and tasks are traced.",
    default: "1",
  }),
  DRAIN_SECONDS: createSetting(kinds.createNumberKind(0, 300, "a number of seconds"), {
    about:
      "After SIGTERM so long requests are still answered while /readyz says no, so that a proxy takes others.",
    default: { demo: "0", real: "5" },
  }),
};

/** Every environment variable that the product reads, once, by what it is about. */
export const settingGroups = {
  "Where it runs": place,
  "Signing in": signingIn,
  "Many processes": manyProcesses,
  Mail: mail,
  Payments: payments,
  "What pages say": product,
  Operation: operation,
};

/** The one schema: texts of the environment in, values out. Empty texts are left out before. */
export const settings = z.object({
  ...place,
  ...signingIn,
  ...manyProcesses,
  ...mail,
  ...payments,
  ...product,
  ...operation,
});

export type Settings = z.infer<typeof settings>;
export type SettingName = keyof Settings;

/** Settings that mean something only together: with one of them, all are required. */
export const together: SettingName[][] = [
  ["PAYU_KEY", "PAYU_SALT", "PAYU_ENVIRONMENT"],
  ["S3_ENDPOINT", "S3_BUCKET", "S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY"],
];

function createSetting<Schema extends z.ZodType>(
  { schema, mayBe }: Kind<Schema>,
  about: Omit<About, "mayBe"> & Required<Pick<About, "default">>,
): Schema {
  // A copy, since a kind may serve several settings.
  const own = schema.clone();
  aboutSettings.add(own, { mayBe, ...about });
  return own;
}

function createOptionalSetting<Schema extends z.ZodType>(
  { schema, mayBe }: Kind<Schema>,
  about: Omit<About, "mayBe" | "default"> & Required<Pick<About, "otherwise">>,
): z.ZodOptional<Schema> {
  const own = schema.optional();
  aboutSettings.add(own, { mayBe, ...about });
  return own;
}
