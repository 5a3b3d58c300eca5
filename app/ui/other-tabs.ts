import { useEffect, useRef } from "react";

/**
 * Listens to what the tabs of this browser save under a name that they share.
 *
 * @param onNews called after each save; `isOwn` when this tab has saved
 */
export function useSaves(name: string, onNews: (isOwn: boolean) => void): void {
  const listener = useRef(onNews);
  useEffect(() => {
    listener.current = onNews;
  });
  useEffect(() => {
    const channel = new BroadcastChannel(name);
    channel.addEventListener("message", ({ data }) => listener.current(data === thisTab));
    return () => channel.close();
  }, [name]);
}

const thisTab = Math.random();

/** Tells every tab that listens to a name that this one has saved something. */
export function announceSave(name: string): void {
  const channel = new BroadcastChannel(name);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has none
  channel.postMessage(thisTab);
  channel.close();
}
