import { and, desc, sql } from "drizzle-orm";
import type { Database } from "../../platform/database.server.ts";
import { containsTextUnindexed } from "../../platform/lists/list.server.ts";
import { countLabel } from "../../platform/lists/lists.ts";
import { disciplines, skills, workModes } from "../details.ts";
import { isOpen } from "../find.server.ts";
import { companyNames } from "../places/ambiguous.server.ts";
import { placesByKey, setsByKey } from "../places/find-places.server.ts";
import { toPlaceKey } from "../places/rules.ts";
import { joinWithOr, type JobType } from "../rules.ts";
import { jobs } from "../tables.server.ts";
import { type BoardQuery, type ChoiceGroup, filterGroups, listChosen } from "./board-query.ts";
import { buildFilterCondition } from "./filter-condition.server.ts";
import { type FilterPlace, findFilterPlaces } from "./filter-places.server.ts";
import type { JobFilter } from "./job-filter.server.ts";

/** The filters that the words of a search name. */
type NamedFilter = {
  /** Filters without a name are missing. */
  chosen: Partial<Pick<BoardQuery, "type" | "experience" | ChoiceGroup>>;
  places: readonly FilterPlace[];
};

export type BoardLink = { label: string; change: Partial<BoardQuery> };

const maxWords = 12;
const maxNameWords = 6;

/**
 * Finds the filters that a search names, such as "figma remote" or "product designer in Bangalore". Each word must
 * belong to the name of a place, skill, discipline, work mode or job type, or to a word such as "fresher", since a search
 * for anything else looks for words in texts.
 */
export function findNamedFilter(search: string): NamedFilter | null {
  const words = toPlaceKey(search).split(" ").filter(Boolean);
  const names = words.length > maxWords ? null : listNames(words);
  if (!names) return null;
  const valuesOf = (group: Name["group"]) =>
    names.flatMap((name) => (name.group === group ? name.values : []));
  const typed = valuesOf("place").join(", ");
  const places = findFilterPlaces(typed ? [typed] : []);
  const [type, ...types] = new Set(valuesOf("type") as JobType[]);
  if ((typed && places.length === 0) || types.length > 0) return null;
  const chosen = {
    ...(type && { type }),
    ...toChoices("discipline", valuesOf("discipline")),
    ...toChoices("mode", valuesOf("mode")),
    ...toChoices(
      "place",
      places.map(({ slug }) => slug),
    ),
    ...toChoices("skill", valuesOf("skill")),
    ...(valuesOf("experience").length > 0 && { experience: 0 }),
  };
  return Object.keys(chosen).length > 0 ? { chosen, places } : null;
}

function toChoices(group: ChoiceGroup, values: readonly string[]) {
  return values.length > 0 && { [group]: [...new Set(values)].toSorted() };
}

type Name = {
  group: "type" | "experience" | ChoiceGroup;
  /** The values of the filter, or the name of a place. */
  values: readonly string[];
};

/** Takes the longest name at each word. Null if a word belongs to none. */
function listNames(words: readonly string[]): Name[] | null {
  const [first] = words;
  if (first === undefined) return [];
  for (let length = Math.min(maxNameWords, words.length); length > 0; length--) {
    const name = findName(words.slice(0, length).join(" "));
    const rest = name && listNames(words.slice(length));
    if (rest) return [name, ...rest];
  }
  return fillers.has(first) ? listNames(words.slice(1)) : null;
}

function findName(key: string): Name | null {
  const isPlace = (placesByKey.has(key) && !companyNames.has(key)) || setsByKey.has(key);
  return namesByKey.get(key) ?? (isPlace ? { group: "place", values: [key] } : null);
}

const fillers = new Set(
  (
    "a an and at city designer designers design for in job jobs near of opening openings or role roles the vacancy " +
    "vacancies with"
  ).split(" "),
);

/** Other names of values, as people type them. */
const otherNames: Record<Exclude<Name["group"], "place">, Readonly<Record<string, string>>> = {
  type: {
    "Full-time": "fulltime",
    "Part-time": "parttime",
    Internship: "intern|interns|internships|trainee",
  },
  discipline: {
    product: "product designer|product designers|digital product designer",
    ux: "ux|ux designer|ux designers|user experience|user experience designer|uxd|interaction designer",
    ui: "ui|ui designer|ui designers|user interface|user interface designer",
    research: "ux research|ux researcher|user research|user researcher|design researcher",
    content: "content designer|ux writer",
    graphic: "graphics|graphic designer|graphic designers|graphics designer",
    brand: "brand designer|brand identity designer",
    motion: "motion designer|motion graphics|motion graphics designer",
    illustration: "illustrator|illustrators|illustration artist",
    industrial: "industrial designer",
    fashion:
      "fashion|textile|textiles|fashion design|fashion designer|textile design|textile designer",
    spatial:
      "interior design|interior designer|exhibition design|exhibition designer|spatial design",
    game: "game designer|level designer",
  },
  mode: {
    "on-site": "onsite|in office|work from office|wfo",
    remote: "remotely|wfh|work from home|wfa|work from anywhere|home based|telecommute",
  },
  skill: {
    "adobe-xd": "xd",
    "after-effects": "adobe after effects|aftereffects|ae",
    "premiere-pro": "adobe premiere pro|premiere",
    photoshop: "adobe photoshop|ps",
    indesign: "adobe indesign",
    "cinema-4d": "c4d",
    "3d-modelling": "3d modeling|3d artist|3d designer",
    "html-css": "html|css|html5|css3",
    javascript: "js",
    react: "reactjs|react js",
    "design-systems": "design system",
    prototyping: "prototype|prototypes",
    wireframing: "wireframe|wireframes",
    "user-flows": "user flow",
    "user-interviews": "user interview",
    "usability-testing": "usability test|usability tests|user testing",
    "journey-mapping": "journey maps|journey map",
    workshops: "workshop|workshops",
    "visual-design": "visual designer|visual designers",
    "service-design": "service designer|service designers",
    "data-visualisation": "data visualization|dataviz",
    accessibility: "a11y|wcag",
    copywriting: "copywriter|copywriters",
    localisation: "localization",
    "type-design": "type designer",
    branding: "brand identity",
    "logo-design": "logo|logos|logo designer",
    packaging: "packaging design|packaging designer",
    storyboarding: "storyboard|storyboards|storyboard artist",
    animation: "animator|animators",
    "video-editing": "video editor|video editors",
    photography: "photographer|photographers",
    cad: "autocad",
    "people-management": "design manager|design managers",
  },
  experience: { fresher: "freshers|entry level|no experience" },
};

const namesByKey: ReadonlyMap<string, Name> = buildNames();

function buildNames(): Map<string, Name> {
  const labelled = { discipline: disciplines, mode: workModes, skill: skills };
  const names = new Map<string, Name>();
  // A label counts before another name: "Illustrator" is a profession, and "Adobe Illustrator" a program.
  for (const [group, list] of Object.entries(labelled) as ["skill", typeof skills][])
    for (const { value, label } of list) names.set(toPlaceKey(label), { group, values: [value] });
  for (const [group, others] of Object.entries(otherNames) as ["skill", Record<string, string>][])
    for (const [value, joined] of Object.entries(others))
      for (const name of [value, ...joined.split("|")].map(toPlaceKey))
        if (!names.has(name)) names.set(name, { group, values: [value] });
  return names;
}

/** Lists the names that {@link findNamedFilter} knows, in the form of `toPlaceKey`. */
export function listKnownNames(): string[] {
  return [...namesByKey.keys(), ...placesByKey.keys(), ...setsByKey.keys()];
}

/** Describes the jobs of a named filter: "remote product design jobs with Figma in Mumbai". */
export function describeNamedJobs({ chosen, places }: NamedFilter, noun = "jobs"): string {
  const { type, discipline = [], mode = [], skill = [], experience } = chosen;
  const labelsOf = (list: readonly { value: string; label: string }[], values: string[]) =>
    joinWithOr(list.flatMap(({ value, label }) => (values.includes(value) ? label : [])));
  const [tools, areas] = [labelsOf(skills, skill), joinWithOr(places.map(({ name }) => name))];
  return [
    formatInSentence(labelsOf(workModes, mode)),
    type && type.toLowerCase(),
    formatInSentence(labelsOf(disciplines, discipline)),
    noun,
    tools && `with ${tools}`,
    areas && `in ${areas}`,
    experience === 0 && "for freshers",
  ]
    .filter(Boolean)
    .join(" ");
}

/** Keeps the capitals of "UX design". */
function formatInSentence(label: string): string {
  return label.replaceAll(/\b\p{Lu}(?!\p{Lu})/gu, (letter) => letter.toLowerCase());
}

/** Reading the texts of more jobs would take longer than the list. */
const maxCompared = 100;

/**
 * Finds a link to the filter that a search names, with its number of jobs: "12 jobs in Mumbai". The filter replaces the
 * search. Null if it finds nothing that the search doesn't find.
 */
export async function suggestFilter(
  db: Database,
  { query, places }: Pick<JobFilter, "query" | "places">,
): Promise<BoardLink | null> {
  const named = query.after ? null : findNamedFilter(query.search);
  if (!named) return null;
  const change = { ...named.chosen, search: "" };
  const condition = buildFilterCondition(
    { ...query, ...change },
    named.places.length > 0 ? named.places : places,
  );
  const matches = db
    .select({ text: jobs.searchText })
    .from(jobs)
    .where(and(isOpen, condition))
    .orderBy(desc(jobs.postedAt), desc(jobs.id))
    .limit(maxCompared + 1)
    .as("found");
  const [counts] = await db
    .select({
      all: sql<number>`count(*)::int`,
      others: sql<number>`(count(*) filter (where not ${containsTextUnindexed(matches.text, query.search)}))::int`,
    })
    .from(matches);
  const { all, others } = counts!;
  if (others === 0) return null;
  const count = { counted: Math.min(all, maxCompared), isMore: all > maxCompared };
  const label = `${countLabel(count)} ${describeNamedJobs(named, all === 1 ? "job" : "jobs")}`;
  return {
    label: hasOtherFilters(query, named) ? `${label} (your other filters apply)` : label,
    change,
  };
}

function hasOtherFilters(query: BoardQuery, { chosen }: NamedFilter): boolean {
  const hasType = query.type !== null && chosen.type === undefined;
  return (
    hasType ||
    filterGroups.some((group) => !(group in chosen) && listChosen(query, group).length > 0)
  );
}
