import { NotFound } from "../platform/errors.ts";

/** Any other path. */
export function loader() {
  throw new NotFound();
}

/** Also for what is sent there: a path that does not exist has no methods to refuse. */
export const action = loader;

export default function NothingHere() {
  return null;
}
