import { Form } from "react-router";
import { ButtonLink, SubmitButton } from "../../ui/form/button.tsx";
import type { ManageQuery, OpenForm } from "./query.ts";

/** The address of the screen with a part of its query changed. */
export type Address = (change: Partial<ManageQuery>) => string;

/** What can be done to one listing: a link or a button each, so that all work before any script. */
export function ListingActions({
  id,
  title,
  isArchived,
  address,
  hasHistory,
}: {
  id: string;
  title: string;
  isArchived: boolean;
  address: Address;
  /** Whether what was done to it can be read here. */
  hasHistory: boolean;
}) {
  const open = (form: OpenForm) => ({ to: address({ form }), preventScrollReset: true });
  const name = <span className="sr-only"> {title}</span>;
  return (
    <div className="-mx-3 flex flex-wrap md:-mx-2 md:flex-nowrap md:justify-end md:[&_.button]:px-2">
      <ButtonLink {...open({ intent: "edit", id })} variant="ghost" size="sm">
        <span>Edit{name}</span>
      </ButtonLink>
      <Form method="post" preventScrollReset>
        <input type="hidden" name="intent" value={isArchived ? "unarchive-job" : "archive-job"} />
        <SubmitButton
          name="id"
          value={id}
          variant="ghost"
          size="sm"
          pendingLabel={isArchived ? "Unarchiving..." : "Archiving..."}
        >
          <span>
            {isArchived ? "Unarchive" : "Archive"}
            {name}
          </span>
        </SubmitButton>
      </Form>
      {hasHistory && (
        <ButtonLink to={`/admin/history?type=job&id=${id}`} variant="ghost" size="sm">
          <span>History{name}</span>
        </ButtonLink>
      )}
      <ButtonLink
        {...open({ intent: "delete", id })}
        variant="ghost"
        size="sm"
        className="text-danger"
      >
        <span>Delete{name}</span>
      </ButtonLink>
    </div>
  );
}
