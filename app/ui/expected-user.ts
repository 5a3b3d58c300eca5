/** The header by which a form says whom the page that sends it was shown to. */
export const personHeader = "X-Person";

/** That header, of a page that was shown to somebody who is signed in. */
export function expectedUserHeader(): Record<string, string> {
  const { person } = document.documentElement.dataset;
  return person ? { [personHeader]: person } : {};
}

let hasSent = false;

/** A form of this page was answered: with it somebody may have signed in. */
export function recordFormAnswer(): void {
  hasSent = true;
}

/** Whether one was answered since this was asked before. */
export function consumeFormAnswer(): boolean {
  const had = hasSent;
  hasSent = false;
  return had;
}

/** Loads the page as whoever is signed in now gets it; a reload could bring back what somebody else has typed. */
export function reloadPage(): void {
  location.replace(location.pathname + location.search);
}
