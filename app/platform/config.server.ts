import { resolve } from "node:path";

/**
 * Everything that can be set from outside, read once at start.
 *
 * One setting decides between demonstration and real operation: `ORIGIN`. Unset or loopback
 * means demo, where every missing part has a stand-in. Any other origin means real, where
 * database, mail and payment settings are required and no stand-in exists.
 */
export type Config = {
  mode: "demo" | "real";
  /** The public address, without a trailing slash: links in mails, return addresses, origin check. */
  origin: string;
  port: number;
  host: string;
  /** Absolute path of the folder for files, uploads and the embedded database. */
  dataDir: string;
  /** Null means: start the embedded PostgreSQL. */
  databaseUrl: string | null;
  /** Null means: keep mail in the captured mailbox. Only in demo. Unencrypted only on loopback. */
  smtpUrl: string | null;
  mailFrom: string;
  /** Makes the marks of known devices; whoever learns it can forge them, but no session. */
  secret: string;
  payu: PayuSettings;
  /** Requests that come through these proxies' addresses may state the client's address. */
  trustedProxies: string[];
  /** Lifts every rate limit, for a load test. */
  rateLimits: "on" | "off";
  logLevel: string;
  /** True while Vite serves the sources, whose refresh script has no nonce. */
  viteDevServer: boolean;
  product: Product;
};

export type PayuSettings = {
  key: string;
  salt: string;
  /** Where the browser posts the payment form. */
  checkoutUrl: string;
  /** Where the server sends commands such as verify_payment. */
  commandUrl: string;
  /** Hosts that the checkout may lead through, as CSP sources. */
  formHosts: string[];
  /** Null means: the provider is the real one. */
  standInPorts: { checkout: number; bank: number } | null;
  /** Sent when the payer gives no phone number. */
  placeholderPhone: string;
};

/** What the product is called and who stands behind it. Shown on public pages. */
export type Product = {
  name: string;
  merchant: string;
  supportPhone: string;
  supportEmail: string;
  socialProfiles: { label: string; url: string }[];
};

type Environment = Record<string, string | undefined>;

/**
 * Reads the configuration from environment variables.
 *
 * @throws {Error} with one line for each setting that is missing or wrong.
 */
export function readConfig(env: Environment = process.env): Config {
  const problems: string[] = [];
  const port = readPort(env, "PORT", 3000, problems);
  const origin = readOrigin(env.ORIGIN ?? `http://localhost:${port}`, problems);
  const mode = isLoopback(new URL(origin).hostname) ? "demo" : "real";

  const config: Config = {
    mode,
    origin,
    port,
    host: env.HOST ?? (mode === "demo" ? "127.0.0.1" : "0.0.0.0"),
    dataDir: resolve(env.DATA_DIR ?? ".data"),
    databaseUrl: env.DATABASE_URL || null,
    smtpUrl: readSmtpUrl(env.SMTP_URL, problems),
    mailFrom: readSender(env.MAIL_FROM ?? "Naksha <hello@naksha.example>", problems),
    secret: env.SECRET ?? "demonstration only: cookies of a loopback origin",
    payu: readPayu(env, port, problems),
    trustedProxies: list(env.TRUSTED_PROXIES),
    rateLimits: env.RATE_LIMITS === "off" ? "off" : "on",
    logLevel: env.LOG_LEVEL ?? "info",
    viteDevServer: env.NODE_ENV === "development",
    product: readProduct(env),
  };

  if (mode === "real") {
    for (const name of [
      "DATABASE_URL",
      "SMTP_URL",
      "MAIL_FROM",
      "SECRET",
      "PAYU_KEY",
      "PAYU_SALT",
    ]) {
      if (!env[name]) problems.push(`${name} is required when ORIGIN is ${origin}.`);
    }
    if (env.SECRET && env.SECRET.length < 32)
      problems.push("SECRET must have 32 characters or more.");
  }
  if (problems.length > 0) throw new Error(problems.join("\n"));
  return config;
}

function readPayu(env: Environment, port: number, problems: string[]): PayuSettings {
  const placeholderPhone = env.PAYU_PLACEHOLDER_PHONE ?? "9999999999";
  if (env.PAYU_KEY && env.PAYU_SALT) {
    const live = env.PAYU_ENVIRONMENT !== "test";
    return {
      key: env.PAYU_KEY,
      salt: env.PAYU_SALT,
      checkoutUrl: live ? "https://secure.payu.in/_payment" : "https://test.payu.in/_payment",
      commandUrl: live
        ? "https://info.payu.in/merchant/postservice.php?form=2"
        : "https://test.payu.in/merchant/postservice.php?form=2",
      formHosts: ["https://*.payu.in"],
      standInPorts: null,
      placeholderPhone,
    };
  }
  const checkout = readPort(env, "PAYU_STAND_IN_PORT", port + 1, problems);
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

function readProduct(env: Environment): Product {
  return {
    name: env.PRODUCT_NAME ?? "Naksha",
    merchant: env.MERCHANT_NAME ?? "Sample Merchant (sole proprietor)",
    supportPhone: env.SUPPORT_PHONE ?? "+91 00000 00000",
    supportEmail: env.SUPPORT_EMAIL ?? "support@naksha.example",
    socialProfiles: [
      { label: "LinkedIn", url: env.SOCIAL_LINKEDIN ?? "https://www.linkedin.com/" },
      { label: "Instagram", url: env.SOCIAL_INSTAGRAM ?? "https://www.instagram.com/" },
    ],
  };
}

function readPort(env: Environment, name: string, fallback: number, problems: string[]): number {
  const text = env[name];
  if (!text) return fallback;
  const port = Number(text);
  if (Number.isInteger(port) && port > 0 && port < 65536) return port;
  problems.push(`${name} must be a port number, not "${text}".`);
  return fallback;
}

function readOrigin(text: string, problems: string[]): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url && /^https?:$/.test(url.protocol) && url.pathname === "/" && !url.search)
    return url.origin;
  problems.push(`ORIGIN must be like https://example.com, not "${text}".`);
  return "http://localhost";
}

/** The password in it is repeated nowhere. */
function readSmtpUrl(text: string | undefined, problems: string[]): string | null {
  if (!text) return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  const isPlain = url && !url.search && !url.hash && /^\/?$/.test(url.pathname);
  if (url && isPlain && url.hostname && /^smtps?:$/.test(url.protocol)) return text;
  problems.push(
    "SMTP_URL must be like smtps://user:password@mail.example.com or smtp://mail.example.com:587, " +
      "without parameters and with %-escapes for special characters.",
  );
  return null;
}

function readSender(text: string, problems: string[]): string {
  if (!/^([^\s<>@]+@[^\s<>@]+|[^<>\r\n]+<[^\s<>@]+@[^\s<>@]+>)$/.test(text))
    problems.push(`MAIL_FROM must be like Naksha <hello@example.com>, not "${text}".`);
  return text;
}

/** Whether the name is this computer's own. */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

function list(text: string | undefined): string[] {
  return (text ?? "")
    .split(",")
    .map((part) => part.trim())
    .filter(Boolean);
}
