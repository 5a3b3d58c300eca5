import { Form } from "react-router";
import { currentActor } from "../../accounts/actor.server.ts";
import { appContext } from "../../platform/app-context.server.ts";
import { runCommand } from "../../platform/forms.server.ts";
import { Icon } from "../../ui/brand/icon.tsx";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { Button } from "../../ui/form/button.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { maxSearchLength, parseSearch } from "../../ui/list/search.ts";
import { buildPrivateMeta } from "../../ui/meta.ts";
import type { Route } from "./+types/search.screen.ts";
import { listFoundItems } from "./list-results.server.ts";
import { ResultGroups } from "../result-groups.tsx";
import * as finderStyles from "../finder.module.css";
import * as fieldStyles from "../../ui/form/field.module.css";

const title = "Search";

export const meta: Route.MetaFunction = ({ matches }) => buildPrivateMeta(matches, title);

export async function loader({ url, context }: Route.LoaderArgs) {
  const search = parseSearch(url.searchParams);
  const outcome = await runCommand(
    context,
    () => listFoundItems(context.get(appContext).db, context.get(currentActor), search),
    { fallback: "The search failed" },
  );
  return { search, groups: outcome.ok ? outcome.value : null };
}

/** The search of the side menu as a page, for browsers without scripts and for links. */
export default function Search({ loaderData: { search, groups } }: Route.ComponentProps) {
  return (
    <Page title={title} intro="People, reviews, orders and screens.">
      <search>
        <Form className={finderStyles.form}>
          <input
            type="search"
            name="search"
            className={fieldStyles.input}
            aria-label="Search"
            placeholder="Name, email, ID or screen"
            maxLength={maxSearchLength}
            autoComplete="off"
            enterKeyHint="search"
            defaultValue={search}
            key={search}
          />
          <Button type="submit" aria-label="Search">
            <Icon name="search" />
          </Button>
        </Form>
      </search>
      {groups === null ? (
        <EmptyState title="The search failed" drawing="lost">
          Please try again in a minute.
        </EmptyState>
      ) : groups.length > 0 ? (
        <ResultGroups groups={groups} level={2} />
      ) : (
        <EmptyState title={`Nothing matches “${search}”`} drawing="search">
          Check the spelling, or search for a part of it.
        </EmptyState>
      )}
    </Page>
  );
}
