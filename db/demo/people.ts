import type { StaffRole } from "../../app/accounts/roles.ts";

/** Everybody in the demonstration signs in with this. */
export const demoPassword = "demo-Password1";

export type DemoPerson = {
  key: string;
  fullName: string;
  email: string;
  roles?: StaffRole[];
  subscribed?: boolean;
  /** A reviewer's introduction for their customers. */
  introduction?: { firstName: string; field: string; about: string };
  /** Shown on the demo page, so that one finds the right person for what one wants to see. */
  about?: string;
};

/** The people one can act as. All of them are made up. */
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
    about: "Customer without any review",
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
      about: "Twelve years of payments and health, the last four hiring designers.",
    },
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
      about: "Leads a studio of nine, and reads two hundred portfolios a year.",
    },
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

/** More customers, so that lists have something to list. */
export const crowd: DemoPerson[] = Array.from({ length: 36 }, (_, turn) => {
  const first = firstNames[turn % firstNames.length]!;
  const last = lastNames[(turn * 7) % lastNames.length]!;
  const email = `${first}.${last}${turn}@example.com`.toLowerCase().replace("'", "");
  return { key: `customer${turn}`, fullName: `${first} ${last}`, email };
});
