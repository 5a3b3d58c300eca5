import { appContext } from "../platform/app-context.server.ts";
import { published } from "../ui/meta/published.ts";
import type { Route } from "./+types/terms.screen.ts";
import { termsPage } from "./pages.ts";
import { LegalPage } from "./legal-page.tsx";
import { termsSections } from "./terms-sections.tsx";

export const meta: Route.MetaFunction = ({ matches }) => published(matches, termsPage);

export function loader({ context }: Route.LoaderArgs) {
  return context.get(appContext).config.product;
}

export default function Terms({ loaderData: product }: Route.ComponentProps) {
  return (
    <LegalPage
      title="Terms and Conditions"
      intro={`The terms on which you use ${product.name}. By creating an account or buying a review you accept them.`}
      sections={termsSections(product)}
      product={product}
    />
  );
}
