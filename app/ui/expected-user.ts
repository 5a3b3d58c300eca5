/** The header with the person a page was rendered for, sent with its forms. */
export const personHeader = "X-Person";

/** Returns that header for a signed-in person's page. */
export function expectedUserHeader(): Record<string, string> {
  const { person } = document.documentElement.dataset;
  return person ? { [personHeader]: person } : {};
}

let isAnswered = false;

/** Records that a form of this page was answered, since it may have signed someone in. */
export function recordFormAnswer(): void {
  isAnswered = true;
}

/** Returns true if a form was answered since the last call. */
export function consumeFormAnswer(): boolean {
  const wasAnswered = isAnswered;
  isAnswered = false;
  return wasAnswered;
}

/** Loads the page for the current person. A plain reload could restore text that someone else typed. */
export function reloadPage(): void {
  location.replace(location.pathname + location.search);
}
