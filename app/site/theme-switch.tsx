import { type SubmitEvent, useSyncExternalStore } from "react";
import { useLocation } from "react-router";
import type { OwnPath } from "../platform/own-path.ts";
import { Icon, type IconName } from "../ui/brand/icon.tsx";
import { buildThemeCookie, type Theme, themes } from "./theme.ts";
import * as styles from "./theme-switch.module.css";
import * as buttonStyles from "../ui/form/button.module.css";

/** The header's button, which toggles between the light and dark theme. */
export function ThemeFlip({ theme }: { theme: Theme }) {
  return (
    <ThemeForm theme={theme} className={styles.flip}>
      {() => (
        <>
          <button
            name="theme"
            value="dark"
            className={buttonStyles.iconButton}
            aria-label="Dark theme"
          >
            <Icon name="moon" />
          </button>
          <button
            name="theme"
            value="light"
            className={buttonStyles.iconButton}
            aria-label="Light theme"
          >
            <Icon name="sun" />
          </button>
        </>
      )}
    </ThemeForm>
  );
}

const choices: Record<Theme, { label: string; icon: IconName }> = {
  system: { label: "System", icon: "system" },
  light: { label: "Light", icon: "sun" },
  dark: { label: "Dark", icon: "moon" },
};

/** The footer's three theme choices. */
export function ThemeChoice({ theme }: { theme: Theme }) {
  return (
    <ThemeForm theme={theme} className={styles.choice}>
      {(current) =>
        themes.map((one) => (
          <button key={one} name="theme" value={one} aria-pressed={one === current}>
            <Icon name={choices[one].icon} />
            {choices[one].label}
          </button>
        ))
      }
    </ThemeForm>
  );
}

function ThemeForm({
  theme,
  className,
  children,
}: {
  theme: Theme;
  className?: string;
  children(current: Theme): React.ReactNode;
}) {
  const { pathname, search } = useLocation();
  const current = useSyncExternalStore(watchTheme, getPageTheme, () => theme);
  return (
    <form method="post" action={"/theme" satisfies OwnPath} onSubmit={handleThemeSubmit}>
      <input type="hidden" name="next" value={pathname + search} />
      <fieldset className={className} aria-label="Theme">
        {children(current)}
      </fieldset>
    </form>
  );
}

/** Sets the cookie in the browser, so that the switch needs no request. */
function handleThemeSubmit(event: SubmitEvent<HTMLFormElement>) {
  const value = event.nativeEvent.submitter?.getAttribute("value");
  const chosen = themes.find((theme) => theme === value);
  if (!chosen) return;
  event.preventDefault();
  document.cookie = buildThemeCookie(chosen, location);
  document.documentElement.dataset.theme = chosen;
}

function getPageTheme(): Theme {
  return themes.find((theme) => theme === document.documentElement.dataset.theme) ?? "system";
}

function watchTheme(onChange: () => void) {
  const observer = new MutationObserver(onChange);
  observer.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  return () => observer.disconnect();
}
