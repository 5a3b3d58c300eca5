import type { ComponentProps } from "react";
import { Icon } from "../brand/icon.tsx";
import { ButtonLink } from "../form/button.tsx";

/** The link back from a screen. Public pages and the result write it out instead, to save bytes. */
export function BackLink({ children, ...rest }: ComponentProps<typeof ButtonLink>) {
  return (
    <ButtonLink variant="ghost" {...rest}>
      <Icon name="arrow-left" />
      {children}
    </ButtonLink>
  );
}

/** The same link for screens under the profile. */
export function BackToProfile() {
  return (
    <BackLink to="/profile" prefetch="intent">
      Back to Profile
    </BackLink>
  );
}
