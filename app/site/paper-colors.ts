/** The paper of the two themes, as `app/ui/brand/tokens.css` has it, for where no style sheet reaches. */
export const paperColors = { light: "#f3f1e8", dark: "#0e171a" };
