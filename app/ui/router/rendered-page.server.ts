/*
 * Relies on the router's `window.__reactRouterContext.streamController`, and on its `modulepreload` links and module
 * scripts. The router has no setting for when a page's scripts load.
 */

/** Browsers load neither a link nor a script with these types. */
const waitingLink = "later-modulepreload";
const waitingScript = "later/module";
/** The router's client reads the loader data from this stream. */
const controller = "window.__reactRouterContext.streamController";

/**
 * Runs at the end of the page and loads the scripts after the first paint. The timeout is for hidden tabs, which aren't
 * painted. An empty frame with an open document delays the load event until the page is live, at most ten seconds.
 */
const launchScript = `document.currentScript.remove();
{
  const load = () => {
    for (const link of document.querySelectorAll('link[rel="${waitingLink}"]')) link.rel = "modulepreload";
    for (const script of document.querySelectorAll('script[type="${waitingScript}"]')) {
      const loaded = script.cloneNode(true);
      loaded.type = "module";
      script.replaceWith(loaded);
    }
  };
  new PerformanceObserver(load).observe({ type: "paint", buffered: true });
  setTimeout(load, document.hidden ? 0 : 2000);
  const loading = document.createElement("iframe");
  loading.hidden = true;
  document.body.append(loading);
  loading.contentDocument.open();
  const loaded = () => setTimeout(() => loading.remove());
  new MutationObserver(loaded).observe(document.documentElement, { attributeFilter: ["data-live"] });
  setTimeout(loaded, 10000);
}`;

/**
 * Defers the scripts of a page until it is painted, so that a slow connection loads styles and fonts first. Every page
 * works without scripts. The router has no option for this, so the HTML is changed. A page without scripts stays
 * unchanged.
 *
 * @param loaded the loader data, as encoded by the router
 * @param nonce the nonce of inline scripts
 */
export function deferScripts(html: string, loaded: string, nonce: string): string {
  const end = html.lastIndexOf("</body>");
  // For example the router's fallback page, when the frame itself fails.
  if (end < 0 || !html.includes(controller)) return html;
  const launcher = `<script nonce="${nonce}">${launchScript}
${controller}.enqueue(${toScriptLiteral(loaded)});
${controller}.close();</script>`;
  const page = html
    .slice(0, end)
    .replaceAll('<link rel="modulepreload"', `<link rel="${waitingLink}"`)
    .replaceAll(/(<script\b[^<>]*) type="module"/g, `$1 type="${waitingScript}"`);
  return page + launcher + html.slice(end);
}

/** Encodes a text as a literal in a script, where a "<" could end the script. */
export function toScriptLiteral(text: string): string {
  return JSON.stringify(text).replaceAll("<", "\\u003c");
}

/** The texts of responses, since reading one from its response would need a stream. */
const texts = new WeakMap<Response, string>();

export function buildPageResponse(text: string, init: ResponseInit): Response {
  const response = new Response(text, init);
  texts.set(response, text);
  return response;
}

/** Returns the text of a response from `buildPageResponse`, or undefined. */
export function getResponseText(response: Response): string | undefined {
  return texts.get(response);
}
