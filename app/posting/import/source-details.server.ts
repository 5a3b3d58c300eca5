import type { PayPeriod, WorkMode } from "../../jobs/details.ts";
import { detailLimits } from "../../jobs/detail-limits.ts";
import { detailsForm } from "../../jobs/manage/details/parse-details.server.ts";
import { detailsMarker } from "../../jobs/manage/details/rules.ts";
import { suggestFromLocation } from "../../jobs/manage/details/suggest-from-location.server.ts";
import { parsePlaceList } from "../../jobs/places/parse-places.server.ts";
import { type JobType, jobTypes } from "../../jobs/rules.ts";
import { maxLengths } from "../../jobs/manage/rules.ts";
import type { SourceRow } from "./source-rows.server.ts";

type Fields = SourceRow["fields"];

/**
 * Returns the fields of a location. Its places are only stated if it names nothing else, as in the form. Remote work
 * needs to say where applicants may live; without that, only the location says "Remote".
 *
 * @param mode the work mode that the source states
 */
export function toLocationFields(location: string, mode: WorkMode | null): Fields {
  if (mode === "remote") {
    const homes = suggestFromLocation(location, mode).details.map(({ name, value }) => [
      name,
      value,
    ]);
    if (homes.length > 0) return { location, workMode: mode, ...Object.fromEntries(homes) };
    return {
      location: ["Remote", ...(/remote/i.test(location) ? [] : [location])]
        .filter(Boolean)
        .join(", "),
    };
  }
  const { places, unknown, conflicts } = parsePlaceList(location);
  const isKnown = unknown.length + conflicts.length === 0 && places.length <= detailLimits.places;
  return {
    location,
    ...(mode && { workMode: mode }),
    ...(isKnown && places.length > 0 && { places: location }),
  };
}

/** Finds the job type in words such as "Full-time" or "FullTime"; undefined for others, such as "Contract". */
export function findJobType(words: string | null | undefined): JobType | undefined {
  const name = toLetters(words ?? "");
  if (/^intern(?:ship)?$/.test(name)) return "Internship";
  return jobTypes.find((type) => toLetters(type) === name);
}

/** Returns the small letters of a text: "Full time" and "full-time" give "fulltime". */
export function toLetters(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}

/** A range of pay as sources state it. */
type StatedPay = {
  min?: number | null | undefined;
  max?: number | null | undefined;
  currency?: string | null | undefined;
  period: PayPeriod | undefined;
};

/** Returns the fields of a pay range. One that the form doesn't take, such as a broken number, becomes a text. */
export function toPayFields({ min, max, currency, period }: StatedPay): Fields {
  const amounts = [min, max].map((amount) => amount || null);
  if (!currency || amounts.every((amount) => amount === null)) return {};
  const [payMin, payMax] = amounts.map((amount) => (amount === null ? "" : String(amount)));
  const pay = { payMin: payMin!, payMax: payMax!, payCurrency: currency, payPeriod: period ?? "" };
  if (detailsForm.safeParse({ [detailsMarker]: "yes", ...pay }).success) return pay;
  const range = [...new Set([payMin, payMax].filter(Boolean))].join("–");
  return toCompensation(`${currency} ${range}${period ? ` per ${period}` : ""}`);
}

/** Returns the compensation text, or nothing if the form would find it too long. */
export function toCompensation(text: string | null | undefined): Fields {
  const words = text?.trim();
  return words && words.length <= maxLengths.compensation ? { compensation: words } : {};
}

/** Returns the part of an address that names the company at a provider, or the host of the company's own page. */
export function findBoard(url: string, providerHost: string): string {
  if (!URL.canParse(url)) return "";
  const { hostname, pathname } = new URL(url);
  const isHosted = hostname === providerHost || hostname.endsWith(`.${providerHost}`);
  const [, company] = pathname.split("/");
  return (isHosted && company ? company : hostname).toLowerCase();
}
