import type { OwnPath } from "../../platform/own-path.ts";
import { ButtonLink } from "../../ui/form/button.tsx";
import { Card } from "../../ui/layout/card.tsx";

/** A customer's second look at a review: the offer, the one that was bought last, or both. */
export type SecondLookView = {
  title: string;
  text: string;
  links: { to: OwnPath; label: string }[];
};

/** Offers a second look at a completed review, and leads to the newest that was bought. */
export function SecondLookOffer({ title, text, links }: SecondLookView) {
  return (
    <Card
      title={title}
      footer={links.map(({ to, label }) => (
        <ButtonLink key={to} to={to} variant="secondary" reloadDocument>
          {label}
        </ButtonLink>
      ))}
    >
      <p>{text}</p>
    </Card>
  );
}
