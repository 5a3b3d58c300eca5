/** A short message about what just happened. */
export type Toast = {
  kind: "success" | "error" | "warning" | "info";
  title: string;
  description?: string;
  /** What it is about, for a field that says it as well: the purpose of a refused upload. */
  about?: string;
  /** Given to one that travels, so that it is shown once however often it arrives. */
  id?: string;
};
