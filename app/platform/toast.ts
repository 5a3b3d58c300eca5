/** A short message about what just happened. */
export type Toast = {
  kind: "success" | "error" | "warning" | "info";
  title: string;
  description?: string;
};
