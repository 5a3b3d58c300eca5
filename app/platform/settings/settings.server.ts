import { z } from "zod";
import * as kinds from "./kinds.server.ts";
import type { Kind } from "./kinds.server.ts";

/** The documentation of a setting, except for its kind. */
export type About = {
  /** Its effect, on one line. */
  about: string;
  /** The allowed values, as a phrase that follows "must be". */
  mayBe: string;
  /** Its value if unset; two of them if production has a different one. */
  default?: string | { demo: string; real: string };
  /** The effect of leaving it unset, if there is no default. */
  otherwise?: string;
  /** Secrets never appear in a message. */
  isSecret?: true;
  /** Required in production, where the sample value is refused too. */
  inReal?: "required";
};

/** The documentation of every setting. */
export const aboutSettings = z.registry<About>();

const place = {
  ORIGIN: createOptionalSetting(kinds.origin, {
    about: "The public address. Unset or loopback means a demo, anything else means production.",
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
    about: "Any PostgreSQL, version 15 or newer.",
    otherwise: "an embedded PostgreSQL",
    isSecret: true,
    inReal: "required",
  }),
  SECRET: createSetting(kinds.createTextKind({ min: 32, max: 1000 }), {
    about: "Signs the cookies of known devices and the challenges for passkeys.",
    default: "demonstration only: cookies of a loopback origin",
    isSecret: true,
    inReal: "required",
  }),
  TRUSTED_PROXIES: createOptionalSetting(kinds.networks, {
    about: "Proxies whose X-Forwarded-For header is trusted.",
    otherwise: "none",
  }),
};

const signingIn = {
  SIGN_IN_AGAIN: createSetting(kinds.createChoiceKind("required", "off"), {
    about: "If required, changes to accounts need a login within the last 15 minutes.",
    default: { demo: "off", real: "required" },
  }),
  STAFF_SECOND_FACTOR: createSetting(kinds.createChoiceKind("required", "optional"), {
    about:
      "If required, staff have a week to set up an authenticator app or a passkey before their screens are locked.",
    default: { demo: "optional", real: "required" },
  }),
  SECOND_FACTOR_KEYS: createSetting(kinds.keys, {
    about:
      "Encrypt the secrets of authenticator apps. The first key encrypts, all keys decrypt: put a new key before the old ones.",
    default: "demonstration only: seals the codes of a loopback origin",
    isSecret: true,
    inReal: "required",
  }),
};

const manyProcesses = {
  ROLE: createSetting(kinds.createChoiceKind("all", "web", "worker"), {
    about: "What this process does: web serves requests, worker runs tasks, all does both.",
    default: "all",
  }),
  DATABASE_DIRECT_URL: createOptionalSetting(kinds.postgresUrl, {
    about: "The same database without a pooler, for work that needs its own connection.",
    otherwise: "DATABASE_URL",
    isSecret: true,
  }),
  S3_ENDPOINT: createOptionalSetting(kinds.serviceAddress, {
    about: "An S3-compatible service that stores files for all processes.",
    otherwise: "files are in DATA_DIR",
  }),
  S3_BUCKET: createOptionalSetting(kinds.bucketName, {
    about: "An existing, private bucket that is used for nothing else.",
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
    about: "If on, URLs have the bucket in the path instead of the host.",
    default: "off",
  }),
  SPOOL_MEGABYTES: createSetting(kinds.createNumberKind(64, 1_000_000, "a number"), {
    about: "With S3, the space in DATA_DIR for uploads in progress. Further uploads wait.",
    default: "1024",
  }),
};

const mail = {
  SMTP_URL: createOptionalSetting(kinds.smtpUrl, {
    about:
      "The mail server, by smtps://, or by smtp:// with STARTTLS, which is optional only on loopback.",
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
    about: "Your merchant key from PayU.",
    otherwise: "the test payment page",
    isSecret: true,
    inReal: "required",
  }),
  PAYU_SALT: createOptionalSetting(kinds.createTextKind({ max: 1000 }), {
    about: "Your merchant salt from PayU.",
    otherwise: "the test payment page",
    isSecret: true,
    inReal: "required",
  }),
  PAYU_ENVIRONMENT: createOptionalSetting(kinds.createChoiceKind("test", "live"), {
    about: "If live, payments are real.",
    otherwise: "the test payment page",
    inReal: "required",
  }),
  PAYU_PLACEHOLDER_PHONE: createSetting(kinds.phoneDigits, {
    about: "Sent to PayU if the customer gives no phone number.",
    default: "9999999999",
  }),
  PAYU_STAND_IN_PORT: createOptionalSetting(kinds.firstPort, {
    about: "The first of two consecutive ports of the test payment page.",
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
  SUPPORT_PHONE: createSetting(kinds.phone, {
    about: "Shown in the footer and on the contact page.",
    default: "+91 00000 00000",
    inReal: "required",
  }),
  SUPPORT_EMAIL: createSetting(kinds.mailAddress, {
    about: "Shown with the phone number; receives messages and reports to support.",
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
      "Quotes from customers: the first two for the home page, the last two for the services page.",
    otherwise: "four quotes marked as samples",
  }),
};

const operation = {
  LOG_LEVEL: createSetting(
    kinds.createChoiceKind("silent", "fatal", "error", "warn", "info", "debug", "trace"),
    {
      about: "At info, debug and trace, every request is logged.",
      default: { demo: "warn", real: "info" },
    },
  ),
  RATE_LIMITS: createSetting(kinds.createChoiceKind("on", "off"), {
    about: "Turn off only for a load test.",
    default: "on",
  }),
  DEMO_PAGES: createSetting(kinds.createChoiceKind("on", "off"), {
    about:
      "If on, a demo renders the pages of its reviews after it starts. Production ignores this.",
    default: "on",
  }),
  METRICS_PORT: createOptionalSetting(kinds.port, {
    about: "The port where Prometheus reads /metrics.",
    otherwise: "no metrics",
  }),
  METRICS_HOST: createSetting(kinds.host, {
    about: "The address to listen on for metrics.",
    default: "127.0.0.1",
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: createOptionalSetting(kinds.collectorAddress, {
    about: "A collector that receives traces by OTLP over HTTP.",
    otherwise: "no traces",
  }),
  OTEL_EXPORTER_OTLP_HEADERS: createOptionalSetting(kinds.headers, {
    about: "Headers that the collector requires, such as an API key.",
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
      "How long after SIGTERM requests are still answered while /readyz fails, so that a proxy switches to other processes.",
    default: { demo: "0", real: "5" },
  }),
};

/** All environment variables that the product reads, by topic. */
export const settingGroups = {
  "Where it runs": place,
  "Logging in": signingIn,
  "Several processes": manyProcesses,
  Email: mail,
  Payments: payments,
  "Product details": product,
  Operation: operation,
};

/** Parses environment variables to values. Empty variables are removed before. */
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

/** Groups of settings that must be set together. */
export const together: SettingName[][] = [
  ["PAYU_KEY", "PAYU_SALT", "PAYU_ENVIRONMENT"],
  ["S3_ENDPOINT", "S3_BUCKET", "S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY"],
];

function createSetting<Schema extends z.ZodType>(
  { schema, mayBe }: Kind<Schema>,
  about: Omit<About, "mayBe"> & Required<Pick<About, "default">>,
): Schema {
  // Cloned because several settings can share a kind.
  const copy = schema.clone();
  aboutSettings.add(copy, { mayBe, ...about });
  return copy;
}

function createOptionalSetting<Schema extends z.ZodType>(
  { schema, mayBe }: Kind<Schema>,
  about: Omit<About, "mayBe" | "default"> & Required<Pick<About, "otherwise">>,
): z.ZodOptional<Schema> {
  const copy = schema.optional();
  aboutSettings.add(copy, { mayBe, ...about });
  return copy;
}
