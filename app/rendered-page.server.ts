/** Neither is loaded as long as it is called so. */
const waitingLink = "later-modulepreload";
const waitingScript = "later/module";
/** The starting script makes it, and the router's client reads from it what the loaders gave. */
const controller = "window.__reactRouterContext.streamController";

/**
 * Run at the end of the page: once it has been painted, the scripts are loaded. In a tab that nobody
 * looks at nothing is painted, and a browser may not tell. An empty frame whose document stays open keeps
 * the page from counting as loaded before it is live, or ten seconds have passed.
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
 * Holds the scripts of a page back until it has been painted, since every page reads and works without
 * them: what they would take of a slow connection goes to styles and fonts first. The router gives no
 * way to say so, thus it is written into the HTML. A page without scripts stays as it is.
 *
 * @param loaded what the loaders gave, as the router encodes it for its client
 * @param nonce that inline scripts of this answer carry
 */
export function deferScripts(html: string, loaded: string, nonce: string): string {
  const end = html.lastIndexOf("</body>");
  // Such as the router's last resort, where the frame itself fails.
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

/** A text as a literal in a script, which a "<" in it could end. */
export function toScriptLiteral(text: string): string {
  return JSON.stringify(text).replaceAll("<", "\\u003c");
}

/** The texts of answers, beside them: to read one out of its answer again would take a stream. */
const texts = new WeakMap<Response, string>();

/** An answer whose whole text is there already. */
export function buildPageResponse(text: string, init: ResponseInit): Response {
  const response = new Response(text, init);
  texts.set(response, text);
  return response;
}

/** The text of an answer that `buildPageResponse` made; undefined for any other. */
export function getResponseText(response: Response): string | undefined {
  return texts.get(response);
}
