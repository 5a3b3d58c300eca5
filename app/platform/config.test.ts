import { expect, test } from "vitest";
import { realSettings as real } from "../../tests/support/product/config.ts";
import { day } from "./clock.ts";
import { readConfig } from "./config.server.ts";
import { getSettingDocs, listMisspelledSettings } from "./settings/read-settings.server.ts";

test("without settings, a demo runs on loopback with stand-ins", () => {
  expect(readConfig({})).toMatchObject({
    mode: "demo",
    origin: "http://localhost:3000",
    host: "127.0.0.1",
    databaseUrl: null,
    smtpUrl: null,
    payu: { standInPorts: { checkout: 3001, bank: 3002 } },
    logLevel: "warn",
  });
});

test("a public origin means production without stand-ins", () => {
  expect(readConfig(real)).toMatchObject({
    mode: "real",
    host: "0.0.0.0",
    payu: { checkoutUrl: "https://secure.payu.in/_payment", standInPorts: null },
    logLevel: "info",
  });
});

test("production lists every missing setting at once", () => {
  const { ORIGIN, ...needed } = real;
  const sentences = refusal({ ORIGIN });
  expect(sentences).toHaveLength(Object.keys(needed).length);
  for (const name of Object.keys(needed))
    expect(sentences).toContainEqual(
      expect.stringMatching(`^${name} is required when ORIGIN is ${ORIGIN}: it must be .`),
    );
});

const ownDetails = [
  "MERCHANT_NAME",
  "MERCHANT_ADDRESS",
  "GRIEVANCE_OFFICER_NAME",
  "GRIEVANCE_OFFICER_TITLE",
  "GRIEVANCE_OFFICER_EMAIL",
  "GRIEVANCE_OFFICER_PHONE",
  "SUPPORT_PHONE",
  "SUPPORT_EMAIL",
] as const;

test.each(ownDetails)("production refuses the sample for %s", (name) => {
  const sample = getSettingDocs(name).default as string;
  expect(refusal({ ...real, [name]: sample })).toEqual([
    `${name} is still the sample value. Production needs your own.`,
  ]);
});

const tax = { GSTIN: "08ABCDE1234F1Z0", MERCHANT_STATE: "Rajasthan", SAC_REVIEW: "998399" };

test.each([
  ["GSTIN", "27AAPFU0939F1ZW", "a GSTIN.*one of them is wrong"],
  ["GSTIN", "27AAPFU0939F1Z", "a GSTIN.*14 characters, not 15"],
  ["MERCHANT_STATE", "Bombay", "a State or Union Territory"],
  ["SAC_REVIEW", "1234", "a service accounting code"],
  ["SAC_LISTING", "1234", "a service accounting code"],
  ["GST_RATE", "0", "a percentage from 1 to 40"],
  ["GST_RATE", "18%", "a percentage from 1 to 40"],
])("%s can't be %j", (name, value, mayBe) => {
  const sentences = refusal({ ...tax, [name]: value });
  expect(sentences).toEqual([expect.stringMatching(`^${name} must be ${mayBe}`)]);
});

test("a registration for GST needs its number, State and code", () => {
  expect(readConfig({}).product.tax).toBeNull();
  expect(readConfig({ ...tax, GST_RATE: "5", SAC_LISTING: "998365" }).product.tax).toEqual({
    gstin: tax.GSTIN,
    state: "Rajasthan",
    rate: 5,
    reviewCode: "998399",
    listingCode: "998365",
  });
  expect(readConfig(tax).product.tax).toMatchObject({ rate: 18, listingCode: null });
  expect(refusal({ GSTIN: tax.GSTIN })).toEqual([
    expect.stringMatching("^MERCHANT_STATE is required with GSTIN: it must be a State"),
    expect.stringMatching("^SAC_REVIEW is required with GSTIN: it must be a service"),
  ]);
  expect(refusal({ ...tax, LISTING_PRICE: "999" })).toEqual([
    expect.stringMatching("^SAC_LISTING is required with GSTIN and LISTING_PRICE: it must be a"),
  ]);
});

test("the State must be that of the GSTIN", () => {
  expect(refusal({ ...tax, MERCHANT_STATE: "Karnataka" })).toEqual([
    "MERCHANT_STATE is Karnataka, but GSTIN starts with 08, the code of Rajasthan. Correct one of them.",
  ]);
});

test("a demo has prices of second looks, and production has none unless they are set", () => {
  expect(readConfig({}).secondLooks).toEqual({
    prices: { resume_review: 99_00, portfolio_review: 99_00, combined_review: 149_00 },
    days: 60,
  });
  const others = { PRICE_SECOND_LOOK_ONE: "49.50", SECOND_LOOK_DAYS: "30" };
  expect(readConfig({ ...real, ...others }).secondLooks).toEqual({
    prices: { resume_review: 49_50, portfolio_review: 49_50, combined_review: null },
    days: 30,
  });
});

test("prices are amounts in rupees, and a combined review is a discount", () => {
  expect(readConfig({}).reviewPrices).toEqual({
    resume_review: 199_00,
    portfolio_review: 199_00,
    combined_review: 299_00,
  });
  const others = { PRICE_RESUME: "249.50", PRICE_PORTFOLIO: "199.5", PRICE_COMBINED: "448.99" };
  expect(readConfig(others).reviewPrices).toEqual({
    resume_review: 249_50,
    portfolio_review: 199_50,
    combined_review: 448_99,
  });
  for (const amount of ["449", "500"])
    expect(refusal({ ...others, PRICE_COMBINED: amount })).toEqual([
      "PRICE_COMBINED must be less than 449, which is PRICE_RESUME and PRICE_PORTFOLIO together: the services page calls it a discount.",
    ]);
  // The default of the combined review is no discount any more.
  expect(refusal({ PRICE_RESUME: "99" })).toEqual([
    expect.stringMatching("^PRICE_COMBINED must be less than 298"),
  ]);
});

test("production refuses mail from the sample domain", () => {
  expect(refusal({ ...real, MAIL_FROM: "Compass <compass@naksha.example>" })).toEqual([
    "MAIL_FROM is still the sample value. Production needs your own.",
  ]);
});

test.each([
  ["PRICE_RESUME", "0.99", "an amount from 1 to 100000"],
  ["PRICE_PORTFOLIO", "-199", "an amount from 1 to 100000"],
  ["PRICE_PORTFOLIO", "₹199", "an amount from 1 to 100000"],
  ["PRICE_COMBINED", "299.999", "an amount from 1 to 100000"],
  ["LISTING_PRICE", "999.", "an amount from 1 to 100000"],
  ["PORT", "http", "a port from 1 to 65535"],
  ["PORT", "65536", "a port from 1 to 65535"],
  ["HOST", "all of them", "an address or name"],
  ["ORIGIN", "careers", "like https://example.com"],
  ["ORIGIN", "http://localhost/app", "like https://example.com"],
  ["RATE_LIMITS", "of", "on or off"],
  ["LOG_LEVEL", "verbose", "silent, fatal, error, warn, info, debug or trace"],
  ["PAYU_PLACEHOLDER_PHONE", "none", "10 to 15 digits"],
  ["SUPPORT_EMAIL", "support", "an address like"],
  ["SUPPORT_PHONE", "call us", "a phone number like"],
  ["SOCIAL_LINKEDIN", "javascript:alert(1)", "an address that starts with https://"],
  ["TRUSTED_PROXIES", "10.0.0.0/33", "comma-separated addresses and networks"],
  ["TRUSTED_PROXIES", "10.0.0.1,", "comma-separated addresses and networks"],
  ["TRUSTED_PROXIES", "proxy.internal", "comma-separated addresses and networks"],
  ["TESTIMONIALS", "They are good.", "two or four quotes as JSON"],
  ["TESTIMONIALS", '[{"who":"Asha","says":"Good."}]', "two or four quotes as JSON"],
])("%s can't be %j", (name, value, mayBe) => {
  const [sentence, ...others] = refusal({ [name]: value });
  expect(sentence).toMatch(new RegExp(`^${name} must be ${mayBe.replace("?", "\\?")}`));
  expect(sentence).toContain(`, not ${JSON.stringify(value)}.`);
  expect(others).toEqual([]);
});

test.each(["DATABASE_URL", "SMTP_URL", "SECRET"])(
  "the message for an invalid %s doesn't contain its value",
  (name) => {
    const [sentence] = refusal({ [name]: "hunter2" });
    expect(sentence).toMatch(
      new RegExp(`^${name} must be .*, not its current value \\(a secret\\)\\.$`),
    );
    expect(sentence).not.toContain("hunter2");
  },
);

test("every wrong setting is reported at once", () => {
  const sentences = refusal({ PORT: "x", RATE_LIMITS: "maybe", PAYU_KEY: "key" });
  expect(sentences.map((sentence) => sentence.split(" ")[0])).toEqual([
    "PORT",
    "RATE_LIMITS",
    "PAYU_SALT",
    "PAYU_ENVIRONMENT",
  ]);
});

test.each(["Live", "prod", "tset", "sandbox"])(
  "PAYU_ENVIRONMENT %s does not mean live",
  (value) => {
    expect(refusal({ ...real, PAYU_ENVIRONMENT: value })).toEqual([
      `PAYU_ENVIRONMENT must be test or live, not "${value}".`,
    ]);
  },
);

test("payments are live only if PAYU_ENVIRONMENT says so", () => {
  const { PAYU_ENVIRONMENT: _live, ...rest } = real;
  expect(refusal({ ...rest, PAYU_ENVIROMENT: "test" })).toEqual([
    "PAYU_ENVIRONMENT is required with PAYU_KEY: it must be test or live.",
    "PAYU_ENVIROMENT isn't a setting. Did you mean PAYU_ENVIRONMENT?",
  ]);
  const { payu } = readConfig({ ...real, PAYU_ENVIRONMENT: "test" });
  expect(payu.checkoutUrl).toBe("https://test.payu.in/_payment");
});

test.each([
  [{ PAYU_KEY: "key", PAYU_ENVIRONMENT: "test" }, "PAYU_SALT is required with PAYU_KEY"],
  [{ PAYU_SALT: "salt", PAYU_ENVIRONMENT: "test" }, "PAYU_KEY is required with PAYU_SALT"],
])("an incomplete PayU account is refused: %o", (env, sentence) => {
  expect(refusal(env)[0]).toContain(sentence);
});

test("a misspelled setting gets a warning", () => {
  const env = {
    SMPT_URL: "",
    payu_key: "",
    MAIL_FORM: "",
    HOME: "",
    PATH: "",
    SHELL: "",
    PORT: "1",
  };
  expect(listMisspelledSettings(env).map((sentence) => /mean (\w+)\?/.exec(sentence)?.[1])).toEqual(
    ["SMTP_URL", "PAYU_KEY", "MAIL_FROM"],
  );
});

test("customer quotes come from a setting", () => {
  const quotes = [
    { who: "Product designer, Pune", says: "It helped." },
    { who: "Design student, Kochi", says: "It helped me too." },
  ];
  expect(readConfig({ TESTIMONIALS: JSON.stringify(quotes) }).testimonials).toEqual(quotes);
  expect(readConfig({}).testimonials).toEqual([]);
});

test("an empty setting counts as not set", () => {
  expect(readConfig({ PORT: "", DATABASE_URL: " ", TRUSTED_PROXIES: "" })).toEqual(readConfig({}));
});

/** Returns the messages for refused settings. */
function refusal(env: Record<string, string>): string[] {
  try {
    readConfig(env);
  } catch (error) {
    return (error as Error).message.split("\n");
  }
  throw new Error("The settings are taken.");
}

test("the settings of the job board are days and a choice", () => {
  expect(readConfig({}).checks).toEqual({ checkEvery: 14 * day, lapsesAll: false });
  const set = { JOBS_CHECK_DAYS: "7", JOBS_LAPSE: "all" };
  expect(readConfig(set).checks).toEqual({ checkEvery: 7 * day, lapsesAll: true });
  for (const days of ["0", "91", "two", "1.5"])
    expect(() => readConfig({ JOBS_CHECK_DAYS: days })).toThrow("JOBS_CHECK_DAYS");
  expect(() => readConfig({ JOBS_LAPSE: "none" })).toThrow("JOBS_LAPSE");
});
