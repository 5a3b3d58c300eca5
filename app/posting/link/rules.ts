/** Rules for linking listings of staff to a company. Safe for the browser. */

/** The most listings that one form links. */
export const maxLinked = 200;

export const linkMessages = {
  noSelection: "Select at least one listing",
  selectionTooLarge: `Select at most ${maxLinked} listings at a time`,
  notApproved: "Only approved companies can get listings.",
  changed:
    "One of these listings was linked, renamed or deleted meanwhile, so none was linked. Select again.",
  notLinked: "This listing is no longer linked to this company.",
} as const;
