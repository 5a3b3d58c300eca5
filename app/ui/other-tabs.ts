import { useEffect, useRef } from "react";

/**
 * Listens for saves by the tabs of this browser under a shared name.
 *
 * @param onNews called after each save, with `isOwn` for this tab's saves
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

/** Notifies every tab that listens to this name of a save by this tab. */
export function announceSave(name: string): void {
  const channel = new BroadcastChannel(name);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has none
  channel.postMessage(thisTab);
  channel.close();
}
