import type { ReactNode } from "react";
import { ButtonLink } from "../../ui/form/button.tsx";
import { Link } from "../../ui/link.tsx";
import { exampleReviewPage } from "./pages.ts";
import teaser from "../example/pictures/teaser.webp?no-inline";

/** A picture from the example review beside a text and a link to it. */
export function ExampleTeaser({ children }: { children: ReactNode }) {
  return (
    <div className="voices example-way">
      <Link
        to={exampleReviewPage.path}
        prefetch="intent"
        aria-label="An example review"
        style={notYet}
      >
        <img src={teaser} alt="" width={640} height={448} loading="lazy" decoding="async" />
      </Link>
      <div>
        {children}
        <ButtonLink to={exampleReviewPage.path} variant="secondary" prefetch="intent">
          Read the example review
        </ButtonLink>
      </div>
    </div>
  );
}

/** Browsers load lazy pictures early, but not in content that needs no layout yet. */
const notYet = { contentVisibility: "auto", aspectRatio: "10 / 7" } as const;
