import { InvalidArgumentError } from "@commander-js/extra-typings";

/** A number of days, as in `--days 30`. */
export function wholeDays(text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number > 0 && number < 36_500) return number;
  throw new InvalidArgumentError("It must be a whole number above 0.");
}
