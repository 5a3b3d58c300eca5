import { type SubmitEvent, useEffect } from "react";
import { useFetcher, useFetchers, useLocation, useRevalidator } from "react-router";
import { useHydrated } from "../../ui/hydrated.ts";
import { announceSave, useSaves } from "../../ui/other-tabs.ts";
import { isActionable, type NumberedRemark } from "../../annotations/marked.ts";
import { moveToRemark } from "../../annotations/marked-sheet/marked-result.tsx";
import { TickBox } from "../../annotations/marked-sheet/remark-item.tsx";
import * as buttonStyles from "../../ui/form/button.module.css";
import * as remarkItemStyles from "../../annotations/marked-sheet/remark-item.module.css";
import * as reviewResultStyles from "../../annotations/marked-sheet/review-result.module.css";

/** The form that ticks a remark off. With JavaScript the page doesn't scroll. */
export function TickForm({ remark, isDone }: { remark: NumberedRemark; isDone: boolean }) {
  const { id, number } = remark;
  const isHydrated = useHydrated();
  const fetcher = useFetcher<{ ok?: true }>({ key: getTickKey(id) });
  const { pathname } = useLocation();
  const saved = fetcher.state === "idle" ? fetcher.data : undefined;
  useEffect(() => {
    if (saved?.ok) announceSave(pathname);
  }, [saved, pathname]);
  function send(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    // Flushed immediately, so that a quick second press sees the new state and undoes it.
    void fetcher.submit(event.currentTarget, {
      method: "post",
      preventScrollReset: true,
      flushSync: true,
    });
  }
  return (
    <fetcher.Form method="post" preventScrollReset onSubmit={send}>
      <input type="hidden" name="intent" value="tick-remark" />
      <input type="hidden" name="remark" value={id} />
      <input type="hidden" name="done" value={isDone ? "no" : "yes"} />
      <input type="hidden" name="back" value={isHydrated ? "" : number} />
      <TickBox number={number} isDone={isDone} type="submit" className={remarkItemStyles.tick} />
    </fetcher.Form>
  );
}

/** Shows how many remarks are done, and leads to the first one that is not. */
export function TickProgress({
  remarks,
  done,
}: {
  remarks: NumberedRemark[];
  /** The ids of the remarks that are ticked off. */
  done: readonly string[];
}) {
  const all = remarks.filter(isActionable);
  const left = all.filter(({ id }) => !done.includes(id));
  if (all.length === 0) return null;
  const count = all.length - left.length;
  return (
    <div className={reviewResultStyles.tickProgress}>
      <p>{`${count} of ${all.length} done`}</p>
      {left[0] && (
        <a
          href={`#remark-${left[0].number}`}
          className={`${buttonStyles.button} ${buttonStyles.primary} ${buttonStyles.sm}`}
          onClick={moveToRemark}
        >
          {`${count > 0 ? "Continue" : "Start"} with remark ${left[0].number}`}
        </a>
      )}
      <div aria-hidden="true">
        <div style={{ width: `${(100 * count) / all.length}%` }} />
      </div>
    </div>
  );
}

/**
 * Returns the ticked remarks, including unsaved ticks. A failed tick is undone. Ticks from other tabs appear
 * immediately, and those from other devices when the person returns to the screen.
 */
export function useTicked(done: readonly string[]): string[] {
  const { pathname } = useLocation();
  const { revalidate } = useRevalidator();
  // This tab has already revalidated.
  useSaves(pathname, (isOwn) => !isOwn && void revalidate());
  const ticked = new Set(done);
  for (const { key, formData, state, data } of useFetchers()) {
    const id = formData?.get("remark");
    if (typeof id !== "string" || key !== getTickKey(id)) continue;
    // A failed tick can still be loading while the screen revalidates.
    if (state === "loading" && !(data as { ok?: true } | undefined)?.ok) continue;
    if (formData!.get("done") === "yes") ticked.add(id);
    else ticked.delete(id);
  }
  return [...ticked];
}

const getTickKey = (remark: string) => `tick-${remark}`;
