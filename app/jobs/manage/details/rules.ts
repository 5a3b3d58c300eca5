/** The form fields for a listing's details: names, limits and groups. Safe for the browser. */
import { skills } from "../../details.ts";

const textNames = [
  "discipline",
  "workMode",
  "places",
  "applicantPlaces",
  "experienceMin",
  "experienceMax",
  "payMin",
  "payMax",
  "payVariable",
  "payPeriod",
  "payCurrency",
  "rounds",
  "testTask",
  "testTaskHours",
  "answerDays",
] as const;

type SkillValue = (typeof skills)[number]["value"];

/** Each skill has its own checkbox, since a form's reader takes one value for each name. */
export function getSkillName(skill: SkillValue): `skill-${SkillValue}` {
  return `skill-${skill}`;
}

/** The fields for details. Checkboxes have the value "on" or "". */
export const detailNames = [
  ...textNames,
  "anywhere" as const,
  ...skills.map(({ value }) => getSkillName(value)),
];
export type DetailName = (typeof detailNames)[number];
export type DetailValues = Record<DetailName, string>;

/** The hidden field that tells a form with details from one without. */
export const detailsMarker = "hasDetails";

export const blankDetails = {
  ...Object.fromEntries(detailNames.map((name) => [name, ""])),
  payCurrency: "INR",
} as DetailValues;

export const maxDetailLengths = { places: 300, count: 20, pay: 40 } as const;

/** The skills of the form, each in one group. */
export const skillGroups: readonly { label: string; values: readonly SkillValue[] }[] = [
  {
    label: "Design software",
    values: ["figma", "sketch", "adobe-xd", "photoshop", "illustrator", "indesign", "framer"],
  },
  {
    label: "Web and code",
    values: ["webflow", "wordpress", "html-css", "javascript", "react", "swiftui"],
  },
  {
    label: "Product and interaction",
    values: [
      "design-systems",
      "design-tokens",
      "prototyping",
      "wireframing",
      "interaction-design",
      "visual-design",
      "information-architecture",
      "user-flows",
      "accessibility",
    ],
  },
  {
    label: "Research and service design",
    values: [
      "user-interviews",
      "usability-testing",
      "surveys",
      "field-research",
      "journey-mapping",
      "service-design",
      "data-analysis",
      "data-visualisation",
    ],
  },
  { label: "Writing", values: ["ux-writing", "copywriting", "localisation"] },
  {
    label: "Graphic design and print",
    values: [
      "typography",
      "type-design",
      "lettering",
      "layout",
      "branding",
      "logo-design",
      "packaging",
      "print-production",
      "photography",
    ],
  },
  {
    label: "Illustration and motion",
    values: [
      "drawing",
      "storyboarding",
      "animation",
      "after-effects",
      "premiere-pro",
      "video-editing",
      "lottie",
    ],
  },
  {
    label: "3D, games and products",
    values: [
      "3d-modelling",
      "blender",
      "cinema-4d",
      "unity",
      "cad",
      "solidworks",
      "rhino",
      "sketchup",
      "pattern-making",
    ],
  },
  { label: "Working with others", values: ["workshops", "people-management"] },
];
