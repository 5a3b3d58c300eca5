/** Neither is loaded as long as it is called so. */
const waitingLink = "later-modulepreload";
const waitingScript = "later/module";

/**
 * Run at the end of the page: once it has been painted, the scripts are loaded. In a tab that nobody
 * looks at nothing is painted, and a browser may not tell.
 */
const begin = `document.currentScript.remove();
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
}`;

/**
 * Holds the scripts of a page back until it has been painted, since every page reads and works without
 * them: what they would take of a slow connection goes to styles and fonts first. The router gives no
 * way to say so, thus it is written into the HTML as it passes.
 *
 * @param nonce that inline scripts of this answer carry
 */
export function scriptsLast(nonce: string): TransformStream<Uint8Array, Uint8Array> {
  const launcher = `<script nonce="${nonce}">${begin}</script>`;
  let rest: Uint8Array = new Uint8Array();
  return new TransformStream({
    transform(piece, controller) {
      const html = Buffer.concat([rest, piece]);
      // A tag may begin in one piece and end in the next.
      const end = html.lastIndexOf(">") + 1;
      rest = html.subarray(end);
      if (end > 0) controller.enqueue(heldBack(html.subarray(0, end), launcher));
    },
    flush(controller) {
      if (rest.length > 0) controller.enqueue(rest);
    },
  });
}

/** Through Latin-1, which keeps every byte: a piece may end within a character. */
function heldBack(html: Buffer, launcher: string): Uint8Array {
  const text = html
    .toString("latin1")
    .replaceAll('<link rel="modulepreload"', `<link rel="${waitingLink}"`)
    .replaceAll(/(<script\b[^<>]*) type="module"/g, `$1 type="${waitingScript}"`)
    .replace("</body>", `${launcher}</body>`);
  return Buffer.from(text, "latin1");
}
