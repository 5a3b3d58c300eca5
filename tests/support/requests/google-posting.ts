import { z } from "zod";

const workPlace = z.strictObject({
  "@type": z.literal("Place"),
  address: z.strictObject({
    "@type": z.literal("PostalAddress"),
    addressLocality: z.string().min(2).optional(),
    addressRegion: z.string().min(2).optional(),
    addressCountry: z.string().regex(/^[A-Z]{2}$/),
  }),
});
const area = z.strictObject({
  "@type": z.enum(["Country", "State", "City", "AdministrativeArea"]),
  name: z.string().min(2),
});
const payAmount = z.int().positive();
const salaryValue = z
  .strictObject({
    "@type": z.literal("QuantitativeValue"),
    value: payAmount.optional(),
    minValue: payAmount.optional(),
    maxValue: payAmount.optional(),
    unitText: z.enum(["HOUR", "DAY", "WEEK", "MONTH", "YEAR"]),
  })
  .refine(
    ({ value, minValue, maxValue }) =>
      value === undefined
        ? (minValue ?? maxValue) && (minValue ?? 0) <= (maxValue ?? Infinity)
        : minValue === undefined && maxValue === undefined,
    "neither one amount nor a range",
  );
const oneOrAll = <Item extends z.ZodType>(item: Item) => z.union([item, z.array(item).min(2)]);

/** The rules are from developers.google.com/search/docs/appearance/structured-data/job-posting. */
export const googlePosting = z
  .strictObject({
    "@context": z.string().regex(/^https:\/\/schema\.org\/?$/),
    "@type": z.literal("JobPosting"),
    // Required.
    title: z.string().trim().min(1),
    description: z.string().regex(/^(<p>[^<]+<\/p>)+$/),
    datePosted: z.iso.datetime(),
    validThrough: z.iso.datetime().optional(),
    hiringOrganization: z.strictObject({
      "@type": z.literal("Organization"),
      name: z.string().min(1),
    }),
    // Required, except for remote work with an area where people may live.
    jobLocation: oneOrAll(workPlace).optional(),
    jobLocationType: z.literal("TELECOMMUTE").optional(),
    applicantLocationRequirements: oneOrAll(area).optional(),
    // Recommended.
    identifier: z.strictObject({
      "@type": z.literal("PropertyValue"),
      name: z.string().min(1),
      value: z.string().min(1),
    }),
    employmentType: z.enum([
      "FULL_TIME",
      "PART_TIME",
      "CONTRACTOR",
      "TEMPORARY",
      "INTERN",
      "OTHER",
    ]),
    baseSalary: z
      .strictObject({
        "@type": z.literal("MonetaryAmount"),
        currency: z.literal("INR"),
        value: salaryValue,
      })
      .optional(),
    // Google's beta.
    experienceRequirements: z
      .union([
        z.literal("no requirements"),
        z.strictObject({
          "@type": z.literal("OccupationalExperienceRequirements"),
          monthsOfExperience: z.int().positive(),
        }),
      ])
      .optional(),
    skills: z.string().min(2).optional(),
    url: z.url(),
  })
  .refine(
    ({ jobLocationType, applicantLocationRequirements, jobLocation }) =>
      jobLocationType
        ? applicantLocationRequirements
        : jobLocation && !applicantLocationRequirements,
    "neither a place nor an area for remote work, or both without TELECOMMUTE",
  );

/** A listing, as the builder of postings takes it. */
export const job = {
  id: "7e284635-b05a-41f8-ba15-cd003d25c6c0",
  title: "Type Designer",
  company: "Akshara & Co",
  location: "Pune",
  jobType: "Full-time" as const,
  description: "Short.",
  largeDescription: "Draw <b>letters</b>.\n\nEvery day & night.",
  postedAt: new Date("2026-03-01T12:00:00Z"),
};
export const url = "https://example.com/jobs/7e284635-b05a-41f8-ba15-cd003d25c6c0";

export const place = (addressLocality?: string, addressCountry = "IN", addressRegion?: string) => ({
  "@type": "Place",
  address: {
    "@type": "PostalAddress",
    ...(addressLocality && { addressLocality }),
    ...(addressRegion && { addressRegion }),
    addressCountry,
  },
});
export const country = (name: string) => ({ "@type": "Country", name });
