/** The audit trail in words. */

const deeds: Record<string, string> = {
  "review.assign": "Assigned a review",
  "review.reassign": "Reassigned a review",
  "review.unassign": "Unassigned a review",
  "review.prioritise": "Changed a review's priority",
  "review.open": "Opened a review",
  "review.upload": "Added a file to a review",
  "review.remove-upload": "Removed a file from a review",
  "review.submit": "Submitted a review",
  "review.edit": "Edited a completed review",
  "review.add-image": "Added an image to a review",
  "review.update-image": "Changed an image of a review",
  "review.delete-image": "Deleted an image of a review",
  "user.reset-password": "Sent a password reset email",
  "user.ban": "Banned a user",
  "user.unban": "Lifted a user's ban",
  "role.grant": "Granted a role",
  "role.revoke": "Revoked a role",
};

/** What was done; a deed without words of its own stands as it is named. */
export function deedWords(deed: string): string {
  return deeds[deed] ?? deed;
}

export type Change = { what: string; before: string | null; after: string | null };

const longest = 120;

/** What changed, part by part; what stayed as it was is left out. */
export function changesOf(
  before: unknown,
  after: unknown,
  names: Record<string, string>,
): Change[] {
  const [old, now] = [parts(before), parts(after)];
  return [...new Set([...Object.keys(old), ...Object.keys(now)])]
    .map((what) => ({
      what: what === "reviewerId" ? "reviewer" : what,
      before: shown(old[what], names),
      after: shown(now[what], names),
    }))
    .filter((change) => change.before !== change.after);
}

function parts(state: unknown): Record<string, unknown> {
  if (state === null || state === undefined) return {};
  return typeof state === "object" ? (state as Record<string, unknown>) : { value: state };
}

function shown(value: unknown, names: Record<string, string>): string | null {
  if (value === null || value === undefined) return null;
  const text = typeof value === "string" ? (names[value] ?? value) : JSON.stringify(value);
  const letters = Array.from(text);
  return letters.length > longest ? `${letters.slice(0, longest).join("")}…` : text;
}
