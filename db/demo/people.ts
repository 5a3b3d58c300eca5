import type { StaffRole } from "../../app/accounts/roles.ts";
import type { Known } from "../../app/reviews/fields-and-languages.ts";

/** The password of all demo people. */
export const demoPassword = "demo-Password1";

export type DemoPerson = {
  key: string;
  fullName: string;
  email: string;
  roles?: StaffRole[];
  subscribed?: boolean;
  /** A reviewer's introduction for their customers. */
  introduction?: { firstName: string; field: string; about: string } & Known;
  /** The days until a reviewer is back, and the number of reviews that they take in a day. */
  daysAway?: number;
  reviewsADay?: number;
  /** A description for the demo page. */
  about?: string;
};

/** The people that visitors of the demo can act as. All are made up. */
export const demoPeople: DemoPerson[] = [
  {
    key: "asha",
    fullName: "Asha Verma",
    email: "asha@example.com",
    about: "Customer with reviews in every state",
  },
  {
    key: "ravi",
    fullName: "Ravi Nair",
    email: "ravi@example.com",
    about: "Customer without reviews",
  },
  {
    key: "sonia",
    fullName: "Sonia Dutta",
    email: "sonia@example.com",
    subscribed: true,
    about: "Subscriber: manages her own job listings",
  },
  {
    key: "meera",
    fullName: "Meera Iyer",
    email: "meera@example.in",
    roles: ["reviewer"],
    introduction: {
      firstName: "Meera",
      field: "product design",
      about: "Twelve years in payments and health, the last four hiring designers.",
      knownFields: ["product", "ux", "research"],
      languages: ["English", "Hindi", "Telugu"],
    },
    reviewsADay: 5,
    about: "Reviewer with open and completed reviews",
  },
  {
    key: "kabir",
    fullName: "Kabir Shah",
    email: "kabir@example.in",
    roles: ["reviewer"],
    introduction: {
      firstName: "Kabir",
      field: "brand and motion",
      about: "Leads a studio of nine and reads two hundred portfolios a year.",
      knownFields: ["graphic", "brand", "motion"],
      languages: ["English", "Tamil"],
    },
    daysAway: 6,
    about: "Reviewer",
  },
  {
    key: "devi",
    fullName: "Devi Rao",
    email: "devi@example.in",
    roles: ["job_board_adder"],
    about: "Job-board adder",
  },
  {
    key: "gita",
    fullName: "Gita Menon",
    email: "gita@example.in",
    roles: ["god_admin"],
    about: "God admin",
  },
  {
    key: "leena",
    fullName: "Leena Joseph",
    email: "leena@example.com",
    about: "Employer: posts jobs for Chaupal Health",
  },
];

const firstNames = [
  "Anaya",
  "Vihaan",
  "Ishita",
  "Arjun",
  "Kavya",
  "Rohan",
  "Zoya",
  "Nikhil",
  "Tara",
  "Farhan",
  "Lakshmi",
  "Dev",
];
const lastNames = [
  "Kulkarni",
  "Bose",
  "Pillai",
  "Sethi",
  "Gowda",
  "Mishra",
  "D'Souza",
  "Reddy",
  "Chawla",
  "Barua",
];

/** More customers to fill the lists. */
export const crowd: DemoPerson[] = Array.from({ length: 36 }, (_, index) => {
  const first = firstNames[index % firstNames.length]!;
  const last = lastNames[(index * 7) % lastNames.length]!;
  const email = `${first}.${last}${index}@example.com`.toLowerCase().replace("'", "");
  return { key: `customer${index}`, fullName: `${first} ${last}`, email };
});

/** A customer who accepted only the notice before the current one. */
export const personOfOldNotice = crowd[5]!;

/** A customer who turned off optional emails. */
export const personWithoutMails = crowd[6]!;
