import { useEffect, useRef, useState } from "react";
import { disciplines, skills, workModes } from "../../details.ts";
import { joinWithOr } from "../../rules.ts";
import { blankDetails, type DetailValues, getSkillName } from "./rules.ts";
import * as styles from "../../../ui/form/field.module.css";

/** Says which filters will find the listing. With scripts, it follows what is typed. */
export function FilterReach({ values }: { values: DetailValues }) {
  const output = useRef<HTMLOutputElement>(null);
  const [typed, setTyped] = useState(values);
  useEffect(() => {
    const { form } = output.current!;
    const update = () => setTyped({ ...blankDetails, ...Object.fromEntries(new FormData(form!)) });
    form?.addEventListener("change", update);
    return () => form?.removeEventListener("change", update);
  }, []);
  return (
    <output ref={output} aria-live="off" className={`${styles.hint} mt-6 block`}>
      {describeReach(typed)}
    </output>
  );
}

/**
 * Describes which filters find a listing with these details: "Filters will find this job by place (Mumbai). They won't
 * find it by skill …"
 */
export function describeReach(values: DetailValues): string {
  const stated = listStated(values);
  const filters = stated.filter(([, detail]) => detail !== "");
  const missing = joinWithOr(stated.filter(([, detail]) => detail === "").map(([name]) => name));
  const names = filters.map(([name, detail]) => `${name} (${detail})`).join(", ");
  if (!missing) return `Filters will find this job by ${names}.`;
  if (!names) return `Filters won't find this job by ${missing}. Add what you know below.`;
  return `Filters will find this job by ${names}. They won't find it by ${missing}: add that below.`;
}

/** Lists the filters with what the details state for each, or "". */
function listStated(values: DetailValues): [name: string, detail: string][] {
  const isRemote = values.workMode === "remote";
  const homes = values.anywhere ? "anywhere" : values.applicantPlaces;
  const chosen = skills.filter(({ value }) => values[getSkillName(value)]);
  return [
    ["discipline", formatChoice(disciplines, values.discipline)],
    ["work mode", formatChoice(workModes, values.workMode)],
    ["place", [values.places, isRemote ? homes : ""].filter(Boolean).join("; ")],
    ["skill", chosen.map(({ label }) => label).join(", ")],
    ["experience", formatRange(values.experienceMin, values.experienceMax, " years")],
    ["pay", formatRange(values.payMin, values.payMax)],
    // The board has no filter that finds unpaid tasks.
    ...(values.testTask === "unpaid"
      ? []
      : [["test task", values.testTask] satisfies [string, string]]),
  ];
}

function formatChoice(list: readonly { value: string; label: string }[], value: string): string {
  return list.find((one) => one.value === value)?.label ?? "";
}

function formatRange(from: string, to: string, unit = ""): string {
  if (!from && !to) return "";
  if (from && to) return (from === to ? from : `${from}–${to}`) + unit;
  return (from ? `from ${from}` : `up to ${to}`) + unit;
}
