import { appContext } from "../platform/app-context.server.ts";
import { LegalPage, type LegalSection } from "../support/legal-page.tsx";
import { type PublicScreen, buildPublicMeta } from "../ui/meta.ts";
import { Link } from "../ui/link.tsx";
import type { Route } from "./+types/accessibility.screen.ts";
import { accessibilityPage } from "./trust/pages.ts";
import stylesheet from "./accessibility.screen.css?url";

export const handle: PublicScreen = { page: accessibilityPage, isCached: true };

export const meta: Route.MetaFunction = ({ matches }) =>
  buildPublicMeta(matches, accessibilityPage);

export function loader({ context }: Route.LoaderArgs) {
  return context.get(appContext).config.product;
}

export default function Accessibility({ loaderData: product }: Route.ComponentProps) {
  return (
    <LegalPage
      stylesheet={stylesheet}
      title="Accessibility"
      intro={`${product.name} should work for everyone: with a keyboard, a screen reader, large text, or a slow phone without scripts.`}
      sections={sections}
      product={product}
    />
  );
}

const sections: LegalSection[] = [
  {
    id: "standard",
    title: "The standard",
    text: (
      <p>
        We follow the Web Content Accessibility Guidelines (WCAG) 2.2 at level AA. India&apos;s
        Rights of Persons with Disabilities Act, 2016 asks the same of private services. Where we
        don&apos;t meet the standard yet, this page says so.
      </p>
    ),
  },
  {
    id: "tests",
    title: "How we test",
    text: (
      <>
        <p>Before each change goes online, a browser opens the screens of the site and checks:</p>
        <ul>
          <li>names of buttons and fields, headings, landmarks and color contrast</li>
          <li>forms and menus by keyboard, and where the focus goes</li>
          <li>screens 360 pixels wide, in the light and the dark theme</li>
          <li>reading, buying and applying without scripts</li>
        </ul>
        <p>
          No outside expert has audited the site yet, and we don&apos;t test each change with a
          screen reader.
        </p>
      </>
    ),
  },
  {
    id: "known",
    title: "What doesn't work yet",
    text: (
      <ul>
        <li>
          The pages of a resume or portfolio are shown as pictures. Each remark says in words what
          it is about, and “What software reads” has the text of a resume.
        </li>
        <li>
          The annotated PDF has no tags for screen readers. The review on your profile has the same
          remarks as text.
        </li>
        <li>
          The files that customers and reviewers upload can have any form. We don&apos;t change
          them.
        </li>
        <li>Companies write their listings. A text there can be hard to read.</li>
        <li>You pay on the pages of PayU. We don&apos;t control how accessible they are.</li>
        <li>The site is in English. Only the privacy notice is also in Hindi.</li>
      </ul>
    ),
  },
  {
    id: "tell-us",
    title: "Tell us",
    text: (
      <p>
        Does something not work for you? <Link to="/contact">Write to us</Link>, or call. We answer
        within 48 hours, and help you in another way until it works.
      </p>
    ),
  },
];
