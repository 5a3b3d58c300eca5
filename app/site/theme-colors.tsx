import { paperColors as paper } from "./paper-colors.ts";
import type { Theme } from "./theme.ts";

/** The colour of the browser's own bars: the paper of the theme that is on. */
export function ThemeColors({ theme }: { theme: Theme }) {
  if (theme !== "system") return <meta name="theme-color" content={paper[theme]} />;
  return (
    <>
      <meta name="theme-color" content={paper.light} media="(prefers-color-scheme: light)" />
      <meta name="theme-color" content={paper.dark} media="(prefers-color-scheme: dark)" />
    </>
  );
}
