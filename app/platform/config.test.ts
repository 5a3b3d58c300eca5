import { expect, test } from "vitest";
import { realSettings as real } from "../../tests/support/product/config.ts";
import { readConfig } from "./config.server.ts";
import { listMisspelledSettings } from "./settings/read-settings.server.ts";

test("without settings it is a demonstration on loopback, with a stand-in for every part", () => {
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

test("an origin elsewhere means real operation, open to its network and without stand-ins", () => {
  expect(readConfig(real)).toMatchObject({
    mode: "real",
    host: "0.0.0.0",
    payu: { checkoutUrl: "https://secure.payu.in/_payment", standInPorts: null },
    logLevel: "info",
  });
});

test("real operation refuses to start without what it needs, all at once", () => {
  const { ORIGIN, ...needed } = real;
  const sentences = refusal({ ORIGIN });
  expect(sentences).toHaveLength(Object.keys(needed).length);
  for (const name of Object.keys(needed))
    expect(sentences).toContainEqual(
      expect.stringMatching(`^${name} is required when ORIGIN is ${ORIGIN}: it must be .`),
    );
});

test.each(["MERCHANT_NAME", "SUPPORT_PHONE", "SUPPORT_EMAIL"] as const)(
  "real operation refuses the sample for %s",
  (name) => {
    const { merchant, supportPhone, supportEmail } = readConfig({}).product;
    const samples = {
      MERCHANT_NAME: merchant,
      SUPPORT_PHONE: supportPhone,
      SUPPORT_EMAIL: supportEmail,
    };
    expect(refusal({ ...real, [name]: samples[name] })).toEqual([
      `${name} still has the sample value. Production needs your own.`,
    ]);
  },
);

test("real operation refuses mail from the sample's domain", () => {
  expect(refusal({ ...real, MAIL_FROM: "Compass <compass@naksha.example>" })).toEqual([
    "MAIL_FROM still has the sample value. Production needs your own.",
  ]);
});

test.each([
  ["PORT", "http", "a port from 1 to 65535"],
  ["PORT", "65536", "a port from 1 to 65535"],
  ["HOST", "all of them", "an IP address or host name"],
  ["ORIGIN", "careers", "like https://example.com"],
  ["ORIGIN", "http://localhost/app", "like https://example.com"],
  ["RATE_LIMITS", "of", "on or off"],
  ["LOG_LEVEL", "verbose", "silent, fatal, error, warn, info, debug or trace"],
  ["PAYU_PLACEHOLDER_PHONE", "none", "10 to 15 digits"],
  ["SUPPORT_EMAIL", "support", "an email address like"],
  ["SUPPORT_PHONE", "call us", "a phone number like"],
  ["SOCIAL_LINKEDIN", "javascript:alert(1)", "a URL that starts with https://"],
  ["TRUSTED_PROXIES", "10.0.0.0/33", "addresses and networks"],
  ["TRUSTED_PROXIES", "10.0.0.1,", "addresses and networks"],
  ["TRUSTED_PROXIES", "proxy.internal", "addresses and networks"],
  ["TESTIMONIALS", "They are good.", "two or four as JSON"],
  ["TESTIMONIALS", '[{"who":"Asha","says":"Good."}]', "two or four as JSON"],
])("%s is refused when it is %j", (name, value, mayBe) => {
  const [sentence, ...others] = refusal({ [name]: value });
  expect(sentence).toMatch(new RegExp(`^${name} must be ${mayBe.replace("?", "\\?")}`));
  expect(sentence).toContain(`, not ${JSON.stringify(value)}.`);
  expect(others).toEqual([]);
});

test.each(["DATABASE_URL", "SMTP_URL", "SECRET"])("%s is refused without its value", (name) => {
  const [sentence] = refusal({ [name]: "hunter2" });
  expect(sentence).toMatch(
    new RegExp(`^${name} must be .*, not its current value \\(a secret\\)\\.$`),
  );
  expect(sentence).not.toContain("hunter2");
});

test("all that is wrong is said at once", () => {
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

test("money moves only where PAYU_ENVIRONMENT says so, whatever stands beside it", () => {
  const { PAYU_ENVIRONMENT: _live, ...rest } = real;
  expect(refusal({ ...rest, PAYU_ENVIROMENT: "test" })).toEqual([
    "PAYU_ENVIRONMENT is required with PAYU_KEY: it must be test or live.",
    "PAYU_ENVIROMENT is not a setting and has no effect. Did you mean PAYU_ENVIRONMENT?",
  ]);
  const { payu } = readConfig({ ...real, PAYU_ENVIRONMENT: "test" });
  expect(payu.checkoutUrl).toBe("https://test.payu.in/_payment");
});

test.each([
  [{ PAYU_KEY: "key", PAYU_ENVIRONMENT: "test" }, "PAYU_SALT is required with PAYU_KEY"],
  [{ PAYU_SALT: "salt", PAYU_ENVIRONMENT: "test" }, "PAYU_KEY is required with PAYU_SALT"],
])("half of a merchant is refused: %o", (env, sentence) => {
  expect(refusal(env)[0]).toContain(sentence);
});

test("a name that is nearly a setting's is warned of, and no other", () => {
  const env = {
    SMPT_URL: "",
    payu_key: "",
    MAIL_FORM: "",
    HOME: "",
    PATH: "",
    SHELL: "",
    PORT: "1",
  };
  expect(
    listMisspelledSettings(env).map((sentence) => /Did you mean (\w+)/.exec(sentence)?.[1]),
  ).toEqual(["SMTP_URL", "PAYU_KEY", "MAIL_FROM"]);
});

test("what customers said is a setting; without it there is nothing, and pages show samples", () => {
  const said = [
    { who: "Product designer, Pune", says: "It helped." },
    { who: "Design student, Kochi", says: "It helped me too." },
  ];
  expect(readConfig({ TESTIMONIALS: JSON.stringify(said) }).testimonials).toEqual(said);
  expect(readConfig({}).testimonials).toEqual([]);
});

test("an empty setting counts as none", () => {
  expect(readConfig({ PORT: "", DATABASE_URL: " ", TRUSTED_PROXIES: "" })).toEqual(readConfig({}));
});

/** The sentences with which the settings are refused. */
function refusal(env: Record<string, string>): string[] {
  try {
    readConfig(env);
  } catch (error) {
    return (error as Error).message.split("\n");
  }
  throw new Error("The settings are taken.");
}
