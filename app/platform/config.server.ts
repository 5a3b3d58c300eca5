import { BlockList } from "node:net";
import {
  type Environment,
  type Lines,
  type Mode,
  getMode,
  readSettings,
  type ShownSetting,
  showSettings,
} from "./settings/read-settings.server.ts";
import { day } from "./clock.ts";
import type { IndianState } from "./india/states.ts";
import type { Settings } from "./settings/settings.server.ts";

/** The configuration, read once at start. */
export type Config = {
  mode: Mode;
  /** The public address without a trailing slash, for links in emails, return addresses and the origin check. */
  origin: string;
  port: number;
  host: string;
  /** Absolute path of the folder for files, uploads and the embedded database. */
  dataDir: string;
  /** Null starts the embedded PostgreSQL. */
  databaseUrl: string | null;
  /** The seconds after which a page answers that the database is unavailable. */
  pageTimeout: number;
  /** The same database without its pooler, or null if there is no pooler. */
  databaseDirectUrl: string | null;
  /** The role of this process: `web` answers requests, `worker` runs tasks. */
  role: Settings["ROLE"];
  /** Null stores files in `dataDir`. */
  s3: S3Settings | null;
  /** Null keeps mail in the demo inbox, which only a demo may do. Unencrypted only on loopback. */
  smtpUrl: string | null;
  mailFrom: string;
  /** Signs the cookies of known devices. A leak allows forging them, but no session. */
  secrets: readonly string[];
  /** Decides if changes to accounts need a recent sign-in. */
  signInAgain: Settings["SIGN_IN_AGAIN"];
  staffSecondFactor: Settings["STAFF_SECOND_FACTOR"];
  /** Keys for authenticator secrets. The first one encrypts, all decrypt. */
  secondFactorKeys: string[];
  payu: PayuSettings;
  /** Proxies that may state the client's address. */
  trustedProxies: BlockList;
  /** "off" lifts every rate limit, for a load test. */
  rateLimits: "on" | "off";
  /** True if a demo renders the pages of its reviews in advance. Always false in production. */
  rendersDemoPages: boolean;
  logLevel: Settings["LOG_LEVEL"];
  /** The port for Prometheus, or null. */
  metricsPort: number | null;
  metricsHost: string;
  /** The collector of traces, or null. */
  traces: TraceSettings | null;
  /** Requests are answered for this long after SIGTERM, while `/readyz` fails. */
  drainSeconds: number;
  /** True while Vite serves the sources, whose refresh script has no nonce. */
  viteDevServer: boolean;
  product: Product;
  /** Says how often jobs are checked, and which listings lapse. */
  checks: CheckSettings;
  /** The years for which the payments of a closed or deleted account are stored. */
  orderRetentionYears: number;
  /** The months without use after which an account is closed; 0 closes none. */
  eraseAfterMonths: number;
  /** The price of each kind of review in paise. */
  reviewPrices: ReviewPrices;
  /** A reviewer's fee for each kind of review in paise; null hides fees everywhere. */
  reviewFees: ReviewFees | null;
  /** A reviewer is asked for their PAN from this sum of fees in a financial year, in paise. */
  panFrom: number;
  secondLooks: SecondLookSettings;
  /** The price of a company's listing in paise; null if listings are free. */
  listingPrice: number | null;
  /** Customer quotes. Without any, the pages show labelled samples. */
  testimonials: Testimonial[];
  /** Every setting for the admin screen. */
  settings: ShownSetting[];
};

/** A collector of traces that speaks OTLP over HTTP. */
export type TraceSettings = {
  endpoint: string;
  headers: Record<string, string>;
  serviceName: string;
  /** The traced share of requests and tasks, from 0 to 1. */
  share: number;
};

/** A bucket of a service that speaks S3. */
export type S3Settings = {
  endpoint: string;
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** True if addresses have the bucket in their path. */
  isPathStyle: boolean;
  /** The size limit in bytes for uploads that pass through `dataDir`. */
  spoolBytes: number;
};

export type PayuSettings = {
  key: string;
  salt: string;
  /** The browser posts the payment form to this address. */
  checkoutUrl: string;
  /** The address for the server's commands, such as verify_payment. */
  commandUrl: string;
  /** The hosts of the checkout, as CSP sources. */
  formHosts: string[];
  /** Null if the provider is the real one. */
  standInPorts: { checkout: number; bank: number } | null;
  /** Sent when the payer gives no phone number. */
  placeholderPhone: string;
};

/** The name of the product and the company behind it, shown on public pages. */
export type Product = {
  name: string;
  merchant: string;
  /** The postal address, on one line. */
  address: string;
  /** The person who is responsible for complaints. */
  officer: { name: string; title: string; email: string; phone: string };
  /** Null if the seller isn't registered for GST. */
  tax: TaxSettings | null;
  supportPhone: string;
  supportEmail: string;
  socialProfiles: { label: string; url: string }[];
};

export type ReviewPrices = Record<"resume_review" | "portfolio_review" | "combined_review", number>;

/** Reviewers' fees in paise. Without one for second looks, these have the fee of a first review. */
export type ReviewFees = ReviewPrices & { secondLook: number | null };

/** The offer of second looks at completed reviews. */
export type SecondLookSettings = {
  /** The price for each kind of review in paise; null where none is offered. */
  prices: Record<keyof ReviewPrices, number | null>;
  /** The days after the completion in which it is offered. */
  days: number;
};

/** The seller's registration for GST. */
type TaxSettings = {
  gstin: string;
  state: IndianState;
  /** In percent. Prices include it. */
  rate: number;
  /** The service accounting code of a review. */
  reviewCode: string;
  /** The service accounting code of a listing; null if listings are free. */
  listingCode: string | null;
};

/** The settings for checks of job listings. */
export type CheckSettings = {
  /** The milliseconds from one check to the next. */
  checkEvery: number;
  /** True if listings of staff lapse too. */
  lapsesAll: boolean;
};

/** A customer's quote with their name. */
export type Testimonial = { who: string; says: string };

/**
 * Reads the configuration from environment variables.
 *
 * @param lines the line numbers of settings from `.env`
 * @throws {Error} with a sentence for each missing or wrong setting.
 */
export function readConfig(env: Environment = process.env, lines?: Lines): Config {
  const set = readSettings(env, lines);
  const origin = set.ORIGIN ?? `http://localhost:${set.PORT}`;
  const mode = getMode(origin);
  return {
    mode,
    origin,
    port: set.PORT,
    host: set.HOST,
    dataDir: set.DATA_DIR,
    databaseUrl: set.DATABASE_URL ?? null,
    pageTimeout: set.PAGE_TIMEOUT,
    databaseDirectUrl: set.DATABASE_DIRECT_URL ?? null,
    role: set.ROLE,
    s3: buildS3Settings(set),
    smtpUrl: set.SMTP_URL ?? null,
    mailFrom: set.MAIL_FROM,
    secrets: set.SECRET,
    signInAgain: set.SIGN_IN_AGAIN,
    staffSecondFactor: set.STAFF_SECOND_FACTOR,
    secondFactorKeys: set.SECOND_FACTOR_KEYS,
    payu: buildPayuSettings(set),
    trustedProxies: set.TRUSTED_PROXIES ?? new BlockList(),
    rateLimits: set.RATE_LIMITS,
    rendersDemoPages: mode === "demo" && set.DEMO_PAGES === "on",
    logLevel: set.LOG_LEVEL,
    metricsPort: set.METRICS_PORT ?? null,
    metricsHost: set.METRICS_HOST,
    traces: set.OTEL_EXPORTER_OTLP_ENDPOINT
      ? {
          endpoint: set.OTEL_EXPORTER_OTLP_ENDPOINT,
          headers: set.OTEL_EXPORTER_OTLP_HEADERS ?? {},
          serviceName: set.OTEL_SERVICE_NAME,
          share: set.OTEL_TRACES_SAMPLER_ARG,
        }
      : null,
    drainSeconds: set.DRAIN_SECONDS,
    viteDevServer: env.NODE_ENV === "development",
    product: {
      name: set.PRODUCT_NAME,
      merchant: set.MERCHANT_NAME,
      address: set.MERCHANT_ADDRESS,
      officer: {
        name: set.GRIEVANCE_OFFICER_NAME,
        title: set.GRIEVANCE_OFFICER_TITLE,
        email: set.GRIEVANCE_OFFICER_EMAIL,
        phone: set.GRIEVANCE_OFFICER_PHONE,
      },
      tax: buildTaxSettings(set),
      supportPhone: set.SUPPORT_PHONE,
      supportEmail: set.SUPPORT_EMAIL,
      socialProfiles: [
        { label: "LinkedIn", url: set.SOCIAL_LINKEDIN },
        { label: "Instagram", url: set.SOCIAL_INSTAGRAM },
      ],
    },
    orderRetentionYears: set.RETENTION_YEARS_ORDERS,
    eraseAfterMonths: set.ERASE_AFTER_MONTHS,
    checks: { checkEvery: set.JOBS_CHECK_DAYS * day, lapsesAll: set.JOBS_LAPSE === "all" },
    reviewPrices: {
      resume_review: set.PRICE_RESUME,
      portfolio_review: set.PRICE_PORTFOLIO,
      combined_review: set.PRICE_COMBINED,
    },
    reviewFees: buildFeeSettings(set),
    panFrom: set.PAN_FROM,
    secondLooks: {
      prices: {
        resume_review: set.PRICE_SECOND_LOOK_ONE ?? null,
        portfolio_review: set.PRICE_SECOND_LOOK_ONE ?? null,
        combined_review: set.PRICE_SECOND_LOOK_BOTH ?? null,
      },
      days: set.SECOND_LOOK_DAYS,
    },
    listingPrice: set.LISTING_PRICE ?? null,
    testimonials: set.TESTIMONIALS ?? [],
    settings: showSettings(env),
  };
}

function buildFeeSettings(set: Settings): ReviewFees | null {
  const { FEE_RESUME, FEE_PORTFOLIO, FEE_COMBINED, FEE_SECOND_LOOK = null } = set;
  if (!FEE_RESUME || !FEE_PORTFOLIO || !FEE_COMBINED) return null;
  return {
    resume_review: FEE_RESUME,
    portfolio_review: FEE_PORTFOLIO,
    combined_review: FEE_COMBINED,
    secondLook: FEE_SECOND_LOOK,
  };
}

function buildTaxSettings(set: Settings): TaxSettings | null {
  if (!set.GSTIN || !set.MERCHANT_STATE || !set.SAC_REVIEW) return null;
  return {
    gstin: set.GSTIN,
    state: set.MERCHANT_STATE,
    rate: set.GST_RATE,
    reviewCode: set.SAC_REVIEW,
    listingCode: set.SAC_LISTING ?? null,
  };
}

function buildS3Settings(set: Settings): S3Settings | null {
  if (!set.S3_ENDPOINT || !set.S3_BUCKET || !set.S3_ACCESS_KEY_ID || !set.S3_SECRET_ACCESS_KEY)
    return null;
  return {
    endpoint: set.S3_ENDPOINT,
    bucket: set.S3_BUCKET,
    region: set.S3_REGION,
    accessKeyId: set.S3_ACCESS_KEY_ID,
    secretAccessKey: set.S3_SECRET_ACCESS_KEY,
    isPathStyle: set.S3_PATH_STYLE === "on",
    spoolBytes: set.SPOOL_MEGABYTES * 1_048_576,
  };
}

function buildPayuSettings(set: Settings): PayuSettings {
  const placeholderPhone = set.PAYU_PLACEHOLDER_PHONE;
  if (set.PAYU_KEY && set.PAYU_SALT) {
    const isLive = set.PAYU_ENVIRONMENT === "live";
    return {
      key: set.PAYU_KEY,
      salt: set.PAYU_SALT,
      checkoutUrl: isLive ? "https://secure.payu.in/_payment" : "https://test.payu.in/_payment",
      commandUrl: isLive
        ? "https://info.payu.in/merchant/postservice.php?form=2"
        : "https://test.payu.in/merchant/postservice.php?form=2",
      formHosts: ["https://*.payu.in"],
      standInPorts: null,
      placeholderPhone,
    };
  }
  const checkout = set.PAYU_STAND_IN_PORT ?? set.PORT + 1;
  const bank = checkout + 1;
  return {
    key: "demoKey",
    salt: "demoSalt",
    checkoutUrl: `http://127.0.0.1:${checkout}/_payment`,
    commandUrl: `http://127.0.0.1:${checkout}/merchant/postservice.php?form=2`,
    formHosts: [`http://127.0.0.1:${checkout}`, `http://127.0.0.1:${bank}`],
    standInPorts: { checkout, bank },
    placeholderPhone,
  };
}
