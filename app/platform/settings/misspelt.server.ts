import leven from "leven";
import { settings } from "./settings.server.ts";

/** A short name is near too many others. */
const shortName = 5;

/**
 * Names in the environment that are no settings, but nearly: what they would set has no effect.
 *
 * @returns a sentence for each.
 */
export function misspeltSettings(env: Record<string, string | undefined>): string[] {
  const known = Object.keys(settings.shape);
  return Object.keys(env).flatMap((name) => {
    if (known.includes(name)) return [];
    const meant = known.find((other) => isNear(name, other));
    return meant ? [`${name} is no setting, and changes nothing. Is ${meant} meant?`] : [];
  });
}

function isNear(name: string, known: string): boolean {
  const most = known.length > shortName ? 2 : 1;
  return leven(name.toUpperCase(), known, { maxDistance: most + 1 }) <= most;
}
