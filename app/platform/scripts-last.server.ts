const preload = '<link rel="modulepreload"';

/**
 * Tells the browser that styles and fonts go before scripts, since every page reads and works without
 * them. The router gives no way to say so, thus it is written into the head of the page, where React
 * gathers the preloads.
 */
export function scriptsLast(): TransformStream<Uint8Array, Uint8Array> {
  let head: Buffer | null = Buffer.alloc(0);
  return new TransformStream({
    transform(piece, controller) {
      if (head === null) return controller.enqueue(piece);
      head = Buffer.concat([head, piece]);
      if (!head.includes("</head>")) return undefined;
      controller.enqueue(marked(head));
      head = null;
      return undefined;
    },
    flush(controller) {
      if (head) controller.enqueue(marked(head));
    },
  });
}

/** Through Latin-1, which keeps every byte: a piece may end within a character. */
function marked(html: Buffer): Uint8Array {
  const text = html.toString("latin1").replaceAll(preload, `${preload} fetchpriority="low"`);
  return Buffer.from(text, "latin1");
}
