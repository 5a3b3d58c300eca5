import Bowser from "bowser";

/**
 * A browser in words, as in "Chrome on Windows" or "Safari on iPhone", out of what it says of itself.
 *
 * @param userAgent the header of that name, or null where there was none
 */
export function deviceCopy(userAgent: string | null): string {
  if (!userAgent) return unknown;
  const { browser, os, platform } = Bowser.parse(userAgent);
  const machine = isTold(platform.model) && platform.vendor === "Apple" ? platform.model : os.name;
  const parts = [browser.name, machine].filter(isTold);
  return parts.length > 0 ? parts.join(" on ") : unknown;
}

const unknown = "A browser that does not say what it is";

function isTold(part: string | undefined): part is string {
  return Boolean(part);
}
