import { BlockList, isIP } from "node:net";
import { resolve } from "node:path";
import { z } from "zod";
import { findGstinFault } from "../india/gstin.ts";
import { indianStates } from "../india/states.ts";

/** A kind of value: the allowed values, to follow "must be", and the schema that parses them. */
export type Kind<Schema extends z.ZodType> = {
  mayBe: string;
  schema: Schema;
  /** Says in a sentence what is wrong with a value that the schema refuses. */
  findFault?: (value: string) => string | null;
};

export function createChoiceKind<const Names extends readonly [string, ...string[]]>(
  ...names: Names
): Kind<z.ZodEnum<{ [Name in Names[number]]: Name }>> {
  const last = names.at(-1);
  return { mayBe: `${names.slice(0, -1).join(", ")} or ${last}`, schema: z.enum(names) };
}

export function createNumberKind(from: number, to: number, unit: string) {
  const schema = z.string().regex(/^\d+$/).transform(Number).pipe(z.int().min(from).max(to));
  return { mayBe: `${unit} from ${from} to ${to}`, schema };
}

/** A price in rupees, as paise. */
export const rupees = {
  mayBe: "an amount from 1 to 100000 with at most two decimals, such as 999 or 999.50",
  schema: z
    .string()
    .regex(/^\d{1,6}(\.\d{1,2})?$/)
    .transform((amount) => Math.round(Number(amount) * 100))
    .pipe(z.int().min(100).max(100_000_00)),
};

/** A text on one line, so that it fits an email's subject. */
export function createTextKind({ min = 1, max }: { min?: number; max: number }) {
  const schema = z.string().regex(new RegExp(`^[^\\r\\n]{${min},${max}}$`));
  const mayBe =
    min > 1 ? `a text of at least ${min} characters` : `one line of at most ${max} characters`;
  return { mayBe, schema };
}

const minKeyLength = 32;

/** A list of keys, newest first. */
export const keys = {
  mayBe: `one or more comma-separated texts of at least ${minKeyLength} characters`,
  schema: z
    .string()
    .transform((list) => list.split(",").map((key) => key.trim()))
    .pipe(z.array(z.string().regex(new RegExp(`^[^\\r\\n]{${minKeyLength},1000}$`))).max(20)),
};

export const port = createNumberKind(1, 65535, "a port");

/** The first of two consecutive ports. */
export const firstPort = createNumberKind(1, 65534, "a port");

export const host = {
  mayBe: "an address or name of this computer, such as 127.0.0.1",
  schema: z.string().refine((name) => isIP(name) > 0 || /^[a-z\d][a-z\d.-]*$/i.test(name)),
};

export const folder = {
  mayBe: "a folder",
  schema: z.string().transform((path) => resolve(path)),
};

export const origin = {
  mayBe: "like https://example.com",
  schema: createUrlKind(/^https?:$/)
    .refine(({ pathname, search, hash, username, password }) =>
      [pathname, search, hash, username, password].every((part) => part === "" || part === "/"),
    )
    .transform((address) => address.origin),
};

export const webAddress = {
  mayBe: "an address that starts with https://",
  schema: createUrlKind(/^https:$/).transform(({ href }) => href),
};

export const serviceAddress = {
  mayBe: "like https://s3.ap-south-1.amazonaws.com",
  schema: createUrlKind(/^https?:$/)
    .refine(({ search, hash, username, password }) => !search && !hash && !username && !password)
    .transform(({ href }) => href),
};

export const collectorAddress = {
  mayBe: "like http://127.0.0.1:4318",
  schema: serviceAddress.schema,
};

/** Names and values with %-escapes, as in the OpenTelemetry specification. */
export const headers = {
  mayBe: "one or more comma-separated headers like api-key=secret",
  schema: z
    .string()
    .regex(/^\s*[\w-]+\s*=[^,]*(,\s*[\w-]+\s*=[^,]*)*$/)
    .transform((list, context) => {
      try {
        return Object.fromEntries(
          list.split(",").map((header) => {
            const [name = "", ...value] = header.split("=");
            return [name.trim(), decodeURIComponent(value.join("=").trim())];
          }),
        );
      } catch {
        context.addIssue({ code: "custom", input: list });
        return z.NEVER;
      }
    }),
};

export const share = {
  mayBe: "a number from 0 to 1, such as 0.1",
  schema: z
    .string()
    .regex(/^\d*\.?\d+$/)
    .transform(Number)
    .pipe(z.number().min(0).max(1)),
};

export const bucketName = {
  mayBe: "a bucket name: 3 to 63 lowercase letters, digits, dots and hyphens",
  schema: z.string().regex(/^[a-z\d][a-z\d.-]{1,61}[a-z\d]$/),
};

export const postgresUrl = {
  mayBe: "like postgres://user:password@host:5432/database",
  schema: z.string().refine((address) => isUrl(address, /^postgres(ql)?:$/)),
};

export const smtpUrl = {
  mayBe:
    "like smtps://user:password@mail.example.com or smtp://mail.example.com:587, " +
    "without parameters and with %-escapes for special characters",
  schema: z.string().refine((address) => {
    if (!isUrl(address, /^smtps?:$/)) return false;
    const { hostname, pathname, search, hash } = new URL(address);
    return hostname !== "" && !search && !hash && /^\/?$/.test(pathname);
  }),
};

export const mailAddress = {
  mayBe: "an address like hello@example.com",
  schema: z.string().regex(/^[^\s<>@]+@[^\s<>@]+$/),
};

export const sender = {
  mayBe: "like Naksha <hello@example.com>",
  schema: z.string().regex(/^([^\s<>@]+@[^\s<>@]+|[^<>\r\n]+<[^\s<>@]+@[^\s<>@]+>)$/),
};

export const phone = {
  mayBe: "a phone number like +91 98765 43210",
  schema: z.string().regex(/^\+?\d[\d ()-]{5,18}\d$/),
};

export const phoneDigits = {
  mayBe: "10 to 15 digits",
  schema: z.string().regex(/^\d{10,15}$/),
};

export const gstin = {
  mayBe: "a GSTIN: 15 letters and digits that end with the right check character",
  schema: z.string().refine((text) => findGstinFault(text) === null),
  findFault: findGstinFault,
};

export const indianState = {
  mayBe: "a State or Union Territory of India, such as Rajasthan",
  schema: z.enum(indianStates),
};

export const serviceCode = {
  mayBe: "a service accounting code of 6 digits that starts with 99",
  schema: z.string().regex(/^99\d{4}$/),
};

/** Addresses and networks to match an address against. */
export const networks = {
  mayBe: "comma-separated addresses and networks, such as 127.0.0.1, 10.0.0.0/8, fd00::/8",
  schema: z.string().transform((list, context) => {
    const block = new BlockList();
    for (const network of list.split(",").map((part) => part.trim()))
      if (!addNetwork(block, network)) context.addIssue({ code: "custom", input: network });
    return block;
  }),
};

function addNetwork(block: BlockList, network: string): boolean {
  const [, address = "", prefix] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(network) ?? [];
  const version = isIP(address);
  if (version === 0) return false;
  const maxLength = version === 4 ? 32 : 128;
  const length = prefix === undefined ? maxLength : Number(prefix);
  if (length > maxLength) return false;
  block.addSubnet(address, length, version === 4 ? "ipv4" : "ipv6");
  return true;
}

const testimonial = z.strictObject({
  who: z.string().trim().min(1).max(80),
  says: z.string().trim().min(1).max(400),
});

export const testimonials = {
  mayBe: `two or four quotes as JSON, such as [{"who": "Product designer, Pune", "says": "…"}, …]`,
  schema: z
    .string()
    .transform((json, context) => {
      try {
        return JSON.parse(json) as unknown;
      } catch {
        context.addIssue({ code: "custom", input: json });
        return z.NEVER;
      }
    })
    .pipe(z.union([z.array(testimonial).length(2), z.array(testimonial).length(4)])),
};

function createUrlKind(protocol: RegExp) {
  return z
    .string()
    .refine((address) => isUrl(address, protocol), { abort: true })
    .transform((address) => new URL(address));
}

function isUrl(address: string, protocol: RegExp): boolean {
  return URL.canParse(address) && protocol.test(new URL(address).protocol);
}
