import type { ComponentProps } from "react";
import { Icon } from "../brand/icon.tsx";
import { ButtonLink } from "../form/button.tsx";

/** The way back from a screen. Where few bytes are left, in public pages and the result, it is written out. */
export function BackLink({ children, ...rest }: ComponentProps<typeof ButtonLink>) {
  return (
    <ButtonLink variant="ghost" {...rest}>
      <Icon name="arrow-left" />
      {children}
    </ButtonLink>
  );
}

/** The same link for screens of a person's own things. */
export function BackToProfile() {
  return (
    <BackLink to="/profile" prefetch="intent">
      Back to Profile
    </BackLink>
  );
}
