import { appContext } from "../platform/app-context.server.ts";
import { published } from "../ui/meta/published.ts";
import type { Route } from "./+types/privacy.screen.ts";
import { privacyPage } from "./pages.ts";
import { LegalPage } from "./legal-page.tsx";
import { privacySections } from "./privacy-sections.tsx";

export const meta: Route.MetaFunction = ({ matches }) => published(matches, privacyPage);

export function loader({ context }: Route.LoaderArgs) {
  return context.get(appContext).config.product;
}

export default function Privacy({ loaderData: product }: Route.ComponentProps) {
  return (
    <LegalPage
      title="Privacy Policy"
      intro={
        <>
          What {product.name} stores about you, why, and who gets to see it.
          <span className="legal-dated">May 1 2025</span>
        </>
      }
      sections={privacySections(product)}
      product={product}
    />
  );
}
