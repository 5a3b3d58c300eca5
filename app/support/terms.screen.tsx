import { machine } from "../platform/machine.server.ts";
import { titled } from "../ui/title.ts";
import type { Route } from "./+types/terms.screen.ts";
import { LegalPage } from "./legal-page.tsx";
import { termsSections } from "./terms-sections.tsx";

export const meta: Route.MetaFunction = ({ matches }) => [
  ...titled(matches, "Terms and Conditions"),
  { name: "description", content: "The terms on which you use the job board and buy reviews." },
];

export function loader({ context }: Route.LoaderArgs) {
  return context.get(machine).config.product;
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
