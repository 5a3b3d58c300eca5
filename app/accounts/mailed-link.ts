import { useEffect, useMemo, useSyncExternalStore } from "react";
import { useNavigate } from "react-router";
import type { OwnPath } from "../platform/own-path.ts";
import type { LinkKind } from "./rules.ts";

/**
 * The one-time tokens of an emailed link: `token_hash` in the query, or `access_token` in the fragment of older
 * links. Neither is a session token.
 */
export type MailedLink = { token_hash?: string; access_token?: string };

const screens: Record<LinkKind, OwnPath> = {
  signup: "/account-confirmation",
  recovery: "/reset-password",
};
const getLinkStorageKey = (kind: LinkKind) => `mailed-link-${kind}`;

/**
 * Reads the tokens from this page's URL, and any others that were saved earlier. Browser only.
 */
function readMailedLink(kind: LinkKind): MailedLink {
  const mailed = parseLinkAddress(window.location);
  return { ...loadSavedLink(kind), ...(mailed?.kind === kind ? mailed.link : {}) };
}

export function clearMailedLink(kind: LinkKind): void {
  window.sessionStorage.removeItem(getLinkStorageKey(kind));
}

/**
 * Handles older links, which open the root page: moves their tokens from the URL to session storage and goes to
 * the screen that uses them.
 */
export function useLinkCapture(): void {
  const navigate = useNavigate();
  useLoadOnNewLink();
  useEffect(() => {
    const mailed = parseLinkAddress(window.location);
    if (!mailed) return;
    window.sessionStorage.setItem(getLinkStorageKey(mailed.kind), JSON.stringify(mailed.link));
    void navigate(screens[mailed.kind], { replace: true });
  }, [navigate]);
}

/** Returns the emailed link; null on the server and before hydration. */
export function useMailedLink(kind: LinkKind): MailedLink | null {
  useLoadOnNewLink();
  const stored = useSyncExternalStore(
    subscribeToNoChanges,
    () => JSON.stringify(readMailedLink(kind)),
    () => null,
  );
  return useMemo(() => (stored === null ? null : (JSON.parse(stored) as MailedLink)), [stored]);
}

const subscribeToNoChanges = () => () => {};

/** Reloads the page for a new link that differs only in its fragment, since browsers don't. */
function useLoadOnNewLink(): void {
  useEffect(() => {
    const onHash = () => void (parseLinkAddress(window.location) && window.location.reload());
    window.addEventListener("hashchange", onHash);
    return () => window.removeEventListener("hashchange", onHash);
  }, []);
}

function parseLinkAddress({ search, hash }: Location): { kind: LinkKind; link: MailedLink } | null {
  const query = new URLSearchParams(search);
  const fragment = new URLSearchParams(hash.slice(1));
  const kind = toLinkKind(query.get("type")) ?? toLinkKind(fragment.get("type"));
  if (!kind) return null;
  const link: MailedLink = {};
  const tokenHash = query.get("token_hash");
  const accessToken = fragment.get("access_token");
  if (tokenHash) link.token_hash = tokenHash;
  if (accessToken) link.access_token = accessToken;
  return tokenHash || accessToken ? { kind, link } : null;
}

function loadSavedLink(kind: LinkKind): MailedLink {
  try {
    const saved: unknown = JSON.parse(
      window.sessionStorage.getItem(getLinkStorageKey(kind)) ?? "{}",
    );
    return saved && typeof saved === "object" ? saved : {};
  } catch {
    return {};
  }
}

function toLinkKind(type: string | null): LinkKind | null {
  return type === "signup" || type === "recovery" ? type : null;
}
