import type { Toast } from "../../../app/platform/app-context.server.ts";
import { readCarriedToasts } from "../../../app/platform/toasts.server.ts";
import { getReviewPrice } from "../payments/payments.ts";
import { tusClient } from "./tus.ts";

/** A form on a page: its action and hidden fields. */
type FoundForm = { action: string; fields: Record<string, string> };

/**
 * A browser without scripts.
 *
 * @param cookie the Cookie header of a signed-in person
 */
export function visitor(origin: string, cookie = "") {
  const headers = { origin, cookie, accept: "text/html" };

  function post(to: string, fields: Record<string, string>): Promise<Response> {
    const body = new URLSearchParams(fields);
    return fetch(new URL(to, origin), { method: "POST", headers, body, redirect: "manual" });
  }

  async function send({ action, fields }: FoundForm): Promise<Response> {
    return post(action, fields);
  }

  return {
    origin,
    cookie,
    post,
    /** Sends a form unchanged. */
    send,
    get: (path: string) => fetch(origin + path, { headers, redirect: "manual" }),

    /** Uploads a file by a form without scripts. */
    sendFile(purpose: string, target: string, name: string, bytes: Uint8Array): Promise<Response> {
      const body = new FormData();
      body.append("file", new Blob([bytes as Uint8Array<ArrayBuffer>]), name);
      const query = new URLSearchParams({ purpose, target, next: "/profile" });
      const to = `${origin}/uploads/form?${query}`;
      return fetch(to, { method: "POST", headers, body, redirect: "manual" });
    },

    /** Uploads like a browser with scripts. */
    tus: tusClient(origin, cookie),

    /** Presses the pay button. @returns the form that leads to the provider */
    async beginPayment(servicePath: string, fields: { phone?: string } = {}): Promise<FoundForm> {
      const price = String(getReviewPrice(servicePath));
      // A seller without a GSTIN ignores the State.
      const form = { intent: "pay", price, state: "Rajasthan", ...fields };
      const checkout = await post(servicePath, form);
      return formElsewhere(await checkout.text());
    },

    /** Pays at the stand-in without a callback. @returns the form that sends the payer back */
    async payAtProvider(checkout: FoundForm, browser = "once"): Promise<FoundForm | null> {
      const started = await send(checkout);
      const decision = { result: "captured", notice: "never", browser };
      const decided = await post(started.headers.get("location")!, decision);
      const page = await decided.text();
      return browser === "never" ? null : formElsewhere(page);
    },
  };
}

export type Visitor = ReturnType<typeof visitor>;

/** Builds the Cookie header from an answer's cookies. */
export function cookieOf(answer: Response): string {
  return answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0])
    .join("; ");
}

/** Returns the toasts that the next page will show. */
export function toastsOf(answer: Response): Toast[] {
  return readCarriedToasts(/\btoasts[^=]*=([^;]*)/.exec(cookieOf(answer))?.[1]);
}

/** Finds the first form of a page that leads to another site. */
function formElsewhere(page: string): FoundForm {
  const form = /<form[^>]*action="(http[^"]+)"[^>]*>(.*?)<\/form>/s.exec(page);
  if (!form) throw new Error(page.slice(0, 2000));
  const fields = [...form[2]!.matchAll(/<input[^>]*type="hidden"[^>]*>/g)].map(([input]) => [
    unescaped(/name="([^"]*)"/.exec(input)![1]!),
    unescaped(/value="([^"]*)"/.exec(input)?.[1] ?? ""),
  ]);
  return { action: unescaped(form[1]!), fields: Object.fromEntries(fields) };
}

function unescaped(text: string): string {
  return text
    .replaceAll(/&#x([\da-f]+);/gi, (_, code: string) => String.fromCodePoint(parseInt(code, 16)))
    .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replaceAll("&quot;", '"')
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
}
