import { readConfig, type Config } from "../../../app/platform/config.server.ts";

/** Demo mode without any settings. Loading the demo renders no pages, which takes more than a second. */
export function testConfig(env: Record<string, string> = {}): Config {
  return readConfig({ LOG_LEVEL: "error", DEMO_PAGES: "off", ...env });
}

/** The settings of a fictional seller in Rajasthan who is registered for GST. */
export const gstSettings = {
  GSTIN: "08ABCDE1234F1Z0",
  MERCHANT_STATE: "Rajasthan",
  SAC_REVIEW: "998399",
  SAC_LISTING: "998365",
};

/** Settings that start the product in production mode. */
export const realSettings = {
  ORIGIN: "https://careers.example.com",
  DATABASE_URL: "postgres://naksha:password@database/naksha",
  SECRET: "0123456789abcdef0123456789abcdef",
  SECOND_FACTOR_KEYS: "fedcba9876543210fedcba9876543210",
  SMTP_URL: "smtps://naksha:password@mail.example.com",
  MAIL_FROM: "Naksha <hello@careers.example.com>",
  PAYU_KEY: "merchantKey",
  PAYU_SALT: "merchantSalt",
  PAYU_ENVIRONMENT: "live",
  MERCHANT_NAME: "Compass Careers",
  MERCHANT_ADDRESS: "12 Park Road, Bengaluru, Karnataka 560001",
  GRIEVANCE_OFFICER_NAME: "Nandini Rao",
  GRIEVANCE_OFFICER_TITLE: "Grievance Officer",
  GRIEVANCE_OFFICER_EMAIL: "grievances@careers.example.com",
  GRIEVANCE_OFFICER_PHONE: "+91 80 4718 2201",
  SUPPORT_PHONE: "+91 80 4718 2200",
  SUPPORT_EMAIL: "support@careers.example.com",
};
