/** The header by which a form says whom the page that sends it was shown to. */
export const personHeader = "X-Person";

/** Returns that header for a page that was rendered for a signed-in person. */
export function expectedUserHeader(): Record<string, string> {
  const { person } = document.documentElement.dataset;
  return person ? { [personHeader]: person } : {};
}

let hasSent = false;

/** Records that a form of this page was answered. It may have signed someone in. */
export function recordFormAnswer(): void {
  hasSent = true;
}

/** Returns whether a form was answered since the last call. */
export function consumeFormAnswer(): boolean {
  const had = hasSent;
  hasSent = false;
  return had;
}

/** Loads the page for the person who is signed in now. A reload could restore text that someone else typed. */
export function reloadPage(): void {
  location.replace(location.pathname + location.search);
}
