import { useSearchParams } from "react-router";
import { z } from "zod";
import { appContext } from "../../platform/app-context.server.ts";
import { NotFound } from "../../platform/errors.ts";
import { buildSuccess, createFormAction } from "../../platform/forms.server.ts";
import { BackLink } from "../../ui/layout/back-link.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { buildPrivateMeta } from "../../ui/meta.ts";
import { revalidateAfterRefusal } from "../../ui/refused-forms.ts";
import type { Route } from "./+types/gallery.screen.ts";
import { buildBrandSpecimens } from "./brand-specimens.tsx";
import { feedbackSpecimens } from "./feedback-specimens.tsx";
import { useForcedStates } from "./forced-states.ts";
import { formSpecimens } from "./form-specimens.tsx";
import { layoutSpecimens } from "./layout-specimens.tsx";
import { listSpecimens } from "./list-specimens.tsx";
import { findSamplePage } from "./sample-pages.tsx";
import { SpecimenCard } from "./specimen.tsx";
import { type GalleryTokens, readTokens } from "./tokens.server.ts";
import stylesheet from "./gallery.screen.css?url";
import * as styles from "./gallery.module.css";

const title = "Components";

export const meta: Route.MetaFunction = ({ matches, error }) =>
  buildPrivateMeta(matches, error ? undefined : title);

/** Real installations have no gallery. */
export const middleware: Route.MiddlewareFunction[] = [
  ({ context }, next) => {
    if (context.get(appContext).config.mode !== "demo") throw new NotFound();
    return next();
  },
];

export function loader() {
  return readTokens();
}

/** Answers the sample form in a dialog, and saves nothing. */
export const action = createFormAction({
  schema: z.object({
    name: z.string().min(1, "Please enter a name").max(40, "Enter at most 40 characters"),
  }),
  run: () => Promise.resolve(),
  done: () => buildSuccess("Name saved"),
  failed: "Failed to save the name",
});

export const shouldRevalidate = revalidateAfterRefusal;

/** Every component of `app/ui` in all its states and both themes. */
export default function Gallery({ loaderData }: Route.ComponentProps) {
  const [params] = useSearchParams();
  const samplePage = findSamplePage(params.get("page"));
  return (
    <>
      <link rel="stylesheet" href={stylesheet} precedence="default" />
      {samplePage ? samplePage.show() : <AllSpecimens tokens={loaderData} />}
    </>
  );
}

function AllSpecimens({ tokens }: { tokens: GalleryTokens }) {
  useForcedStates();
  const sections = [
    { id: "brand", name: "Brand", specimens: buildBrandSpecimens(tokens) },
    { id: "feedback", name: "Feedback", specimens: feedbackSpecimens },
    { id: "form", name: "Form", specimens: formSpecimens },
    { id: "layout", name: "Layout", specimens: layoutSpecimens },
    { id: "list", name: "List", specimens: listSpecimens },
  ];
  return (
    <Page
      back={
        <BackLink to="/demo" reloadDocument>
          Back to Demo
        </BackLink>
      }
      title={title}
      intro="Every component of the design system, in all its states and both themes. Hover and focus appear once scripts run."
    >
      <style>{tokens.styles}</style>
      <div className={styles.gallery}>
        <nav className={styles.nav} aria-label="Components">
          {sections.map(({ id, name, specimens }) => (
            <div key={id}>
              <a href={`#${id}`}>{name}</a>
              <ul>
                {specimens.map((specimen) => (
                  <li key={specimen.name}>
                    <a href={`#${specimen.name}`}>{specimen.name}</a>
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </nav>
        <div className={styles.sections}>
          {sections.map(({ id, name, specimens }) => (
            <section key={id} id={id}>
              <h2>{name}</h2>
              {specimens.map((specimen) => (
                <SpecimenCard key={specimen.name} {...specimen} />
              ))}
            </section>
          ))}
        </div>
      </div>
    </Page>
  );
}
