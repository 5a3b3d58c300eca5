/** The texts of answers, beside them: to read one out of its answer again would take a stream. */
const texts = new WeakMap<Response, string>();

/** An answer whose whole text is there already. */
export function wholePage(text: string, init: ResponseInit): Response {
  const response = new Response(text, init);
  texts.set(response, text);
  return response;
}

/** The text of an answer that `wholePage` made; undefined for any other. */
export function textOfPage(response: Response): string | undefined {
  return texts.get(response);
}
