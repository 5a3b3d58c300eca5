import { renderToString } from "react-dom/server";
import {
  createStaticHandler,
  createStaticRouter,
  Link as RouterLink,
  StaticRouterProvider,
} from "react-router";
import { expect, test } from "vitest";
import type { OwnAddress } from "../platform/own-path.ts";
import { Link } from "./link.tsx";

const places = ["/", "/jobs", "/admin/users?search=a%20b", "/admin/reviews/assigned?sort=due.asc"];

const addresses = [
  "/",
  "/?search=%E0%A4%A8",
  "/jobs",
  "/jobs/0b1c-2d3e?after=WyJh_-&sort=user.asc",
  "/jobs?a=b#apply",
  "/jobs/",
  "/admin//users",
  "/admin/../jobs",
  "//elsewhere.example/jobs",
  "https://elsewhere.example/jobs?a=b",
  "mailto:asha@example.com",
  "?dialog=edit&id=1",
  "?a=%3F?b",
  "?",
  "#main",
  "",
  ".",
  "..",
  "users",
];

test("the server renders the same links as the router", async () => {
  for (const place of places) {
    for (const to of addresses as OwnAddress[]) {
      const more = { to, className: "button", target: "_blank", "aria-label": "Go" };
      const [own, routers] = await Promise.all([
        renderLink(
          place,
          <Link {...more} replace preventScrollReset prefetch="intent" state={{}} />,
        ),
        renderLink(place, <RouterLink {...more} replace preventScrollReset prefetch="intent" />),
      ]);
      expect(own, `${to} at ${place}`).toBe(routers);
      const [plain, routersPlain] = await Promise.all([
        renderLink(place, <Link to={to}>Go</Link>),
        renderLink(place, <RouterLink to={to}>Go</RouterLink>),
      ]);
      expect(plain, `${to} at ${place}`).toBe(routersPlain);
    }
  }
});

async function renderLink(place: string, link: React.ReactNode): Promise<string> {
  const { query, dataRoutes } = createStaticHandler([
    {
      path: "/admin",
      children: [
        { index: true, element: link },
        { path: "*", element: link },
      ],
    },
    { path: "*", element: link },
  ]);
  const context = await query(new Request(`http://localhost${place}`));
  if (context instanceof Response) throw new Error("The place leads elsewhere.");
  const router = createStaticRouter(dataRoutes, context);
  return renderToString(<StaticRouterProvider router={router} context={context} hydrate={false} />);
}
