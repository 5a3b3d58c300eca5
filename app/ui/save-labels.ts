/** The labels of an autosaved field, by the name of its state. */
export const saveLabels = {
  saved: "Saved",
  unsaved: "Not saved yet",
  saving: "Saving…",
  failed: "Not saved",
  conflict: "Not saved: changed elsewhere",
} as const;
