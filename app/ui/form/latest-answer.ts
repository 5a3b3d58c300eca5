import { useCallback, useEffect, useRef, useState } from "react";

/**
 * Loads answers to what a person types, as JSON. Only the answer to the latest address counts, and a failure keeps the
 * one before.
 *
 * @returns the answer, the address that gave it, and the function that loads the next one
 */
export function useLatestAnswer<Answer>(initial: Answer) {
  const [{ answer, address }, setLatest] = useState<{ answer: Answer; address: string | null }>({
    answer: initial,
    address: null,
  });
  const loading = useRef<AbortController>(null);
  useEffect(() => () => loading.current?.abort(), []);
  const load = useCallback(async (next: string) => {
    loading.current?.abort();
    const own = new AbortController();
    loading.current = own;
    try {
      const response = await fetch(next, { signal: own.signal });
      const isOurs = response.ok && !response.redirected;
      if (isOurs) setLatest({ answer: (await response.json()) as Answer, address: next });
    } catch {
      // The answer before stays, and any text is valid.
    }
  }, []);
  return { answer, address, load };
}
