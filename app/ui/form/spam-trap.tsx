import { useHydrated } from "../hydrated.ts";
import * as styles from "./spam-trap.module.css";

/** A field that people can't see and browsers don't autofill; see `isSuspectedSpam`. */
export function SpamTrap({ renderedAt }: { renderedAt: string }) {
  const hydrated = useHydrated();
  return (
    <>
      <div className={styles.spamTrap} aria-hidden="true">
        <label>
          Leave this empty
          <input name="topic" tabIndex={-1} autoComplete="off" />
        </label>
      </div>
      <input type="hidden" name="renderedAt" value={hydrated ? "" : renderedAt} />
    </>
  );
}
