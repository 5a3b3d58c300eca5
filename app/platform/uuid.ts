/** Whether a text out of an address or a form can be an id; PostgreSQL refuses any other as an error. */
export function isUuid(text: unknown): text is string {
  return typeof text === "string" && /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text);
}
