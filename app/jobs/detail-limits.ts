/** The levels of the pay filter and the limits of details, apart from details.ts, which the board doesn't load. */

/** The yearly amounts that the pay filter compares with, in rupees, by the address's value in lakhs. */
export const payLevels = [
  { value: "1.2", amount: 120_000 },
  { value: "3", amount: 300_000 },
  { value: "6", amount: 600_000 },
  { value: "10", amount: 1_000_000 },
  { value: "15", amount: 1_500_000 },
  { value: "20", amount: 2_000_000 },
  { value: "30", amount: 3_000_000 },
  { value: "50", amount: 5_000_000 },
] as const;
export type PayLevel = (typeof payLevels)[number]["value"];

export const detailLimits = {
  places: 5,
  skills: 10,
  /** Years. */
  experience: 40,
  /** 10 crore, per period. */
  pay: 100_000_000,
  rounds: 10,
  testTaskHours: 80,
  answerDays: 60,
} as const;
