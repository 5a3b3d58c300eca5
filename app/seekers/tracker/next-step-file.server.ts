import createCalendar, { ICalEventTransparency } from "ical-generator";
import { describeNextStep, trackerPath } from "./rules.ts";
import type { TrackedJob } from "./tracked-jobs.server.ts";

type Job = Pick<
  TrackedJob,
  "id" | "title" | "company" | "state" | "nextStepOn" | "notes" | "version" | "updatedAt"
>;

/**
 * Formats the next step of a job as a calendar file: one day, with the person's notes. A calendar that has it already
 * updates it, since its id stays and its number is the job's version.
 *
 * @param origin for the link to the job in the person's list
 * @param product the name of the program in the file
 * @returns null if the job has no next step
 */
export function formatNextStepFile(
  { id, title, company, state, nextStepOn, notes, version, updatedAt }: Job,
  { origin, product }: { origin: string; product: { name: string } },
): string | null {
  if (!nextStepOn || !describeNextStep({ nextStepOn, state }, nextStepOn)) return null;
  const calendar = createCalendar({ prodId: { company: product.name, product: "Your jobs" } });
  calendar.createEvent({
    id,
    sequence: version,
    stamp: updatedAt,
    allDay: true,
    start: nextStepOn,
    summary: `Next step: ${title} at ${company}`,
    description: notes || null,
    url: `${origin}${trackerPath}/${id}`,
    // Other people still see the day as free.
    transparency: ICalEventTransparency.TRANSPARENT,
  });
  return `${calendar.toString()}\r\n`;
}
