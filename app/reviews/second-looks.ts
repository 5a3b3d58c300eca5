/** Second looks: cheaper reviews of the new version of what was reviewed before; safe for the browser. */
import { formatRupees } from "../payments/money.ts";
import { day, formatShortDate } from "../platform/clock.ts";
import type { SecondLookSettings } from "../platform/config.server.ts";
import { type Service, services, type ServiceType } from "./rules.ts";

/** Names a purchase: a first review of a type, or the second look at an earlier review of that type. */
export type ServiceKey = { type: ServiceType; secondLookOf?: string | null };

/** The label of its badge. */
export const secondLookLabel = "Second look";

const turnaroundHours = 48;

/** Returns the service that is bought. A second look has its own names, path, hours and priority. */
export function getService({ type, secondLookOf }: ServiceKey): Service {
  const service = services[type];
  if (!secondLookOf) return service;
  return {
    ...service,
    label: `${secondLookLabel}: ${service.label}`,
    shortLabel: `${secondLookLabel}: ${service.shortLabel}`,
    path: `/service-review/${secondLookOf}/second-look`,
    turnaroundHours,
    startPriority: 0,
  };
}

/** Returns the service that a review, or an order for one, has bought. */
export function getBoughtService(bought: Bought): Service {
  return getService({ type: bought.serviceType, secondLookOf: bought.secondLookOf });
}

type Bought = { serviceType: ServiceType; secondLookOf: string | null };

/** Returns the last moment at which a second look of a review is sold. */
export function getSecondLookEnd({ days }: Pick<SecondLookSettings, "days">, completedAt: Date) {
  return new Date(completedAt.getTime() + days * day);
}

/** Formats the offer of a second look for the email about a completed review; null if none is offered. */
export function formatSecondLookOffer(
  settings: SecondLookSettings,
  { serviceType }: Pick<Bought, "serviceType">,
  completedAt: Date,
): string | null {
  const pricePaise = settings.prices[serviceType];
  if (pricePaise === null) return null;
  const until = formatShortDate(getSecondLookEnd(settings, completedAt));
  return `Until ${until}, you can buy a second look at your new version for ${formatRupees(pricePaise)}.`;
}
