import { html, raw } from "hono/html";

export type Html = ReturnType<typeof html>;

/** A whole page: one heading, and on every one of them that no money moves. */
export function page(title: string, content: Html): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>${title} · PayU stand-in</title>
        <link rel="icon" href="data:," />
        <style>
          ${raw(style)}
        </style>
      </head>
      <body>
        <header><strong>PayU stand-in</strong> <span>No money moves here.</span></header>
        <main>
          <h1>${title}</h1>
          ${content}
        </main>
      </body>
    </html>`;
}

/** Facts as label and value, one a line. */
export function factList(facts: [label: string, value: Html | string][]): Html {
  const rows = facts.map(
    ([label, value]) =>
      html`<div>
        <dt>${label}</dt>
        <dd>${value}</dd>
      </div>`,
  );
  return html`<dl>${rows}</dl>`;
}

/** A labelled choice; the first option is the usual one unless another is `chosen`. */
export function choice(
  name: string,
  label: string,
  options: [value: string, text: string][],
  chosen?: string,
): Html {
  const items = options.map(
    ([value, text]) =>
      html`<option value="${value}" ${value === chosen ? "selected" : ""}>${text}</option>`,
  );
  return html`<label>
    ${label}
    <select name="${name}">
      ${items}
    </select>
  </label>`;
}

const style = `
  :root {
    color-scheme: light dark;
    --paper: light-dark(#f2f5ee, #10171a);
    --slip: light-dark(#fffffb, #182226);
    --ink: light-dark(#16241f, #e6efe9);
    --quiet: light-dark(#4d5f57, #a3b5ac);
    --line: light-dark(#c3cec4, #37474a);
    --edge: light-dark(#6b7d74, #7b8f88);
    --go: light-dark(#0b6b4b, #7fdcb4);
    --on-go: light-dark(#ffffff, #06261a);
    --warn: light-dark(#f6d36b, #f0c64f);
    --on-warn: #2a2000;
  }
  * { box-sizing: border-box; }
  body {
    margin: 0; background: var(--paper); color: var(--ink);
    font: 1rem/1.5 "Avenir Next", Avenir, "Segoe UI", Roboto, "Noto Sans", sans-serif;
    background-image: repeating-linear-gradient(0deg, transparent 0 23px, color-mix(in srgb, var(--line) 35%, transparent) 23px 24px);
  }
  header {
    padding: .7rem 1rem; background: var(--warn); color: var(--on-warn); text-align: center;
    border-bottom: 6px solid transparent;
    border-image: repeating-linear-gradient(-45deg, var(--on-warn) 0 8px, var(--warn) 8px 16px) 6;
  }
  main {
    width: min(34rem, 100% - 1.5rem); margin: 1.5rem auto 3rem; padding: clamp(1rem, 5vw, 2.25rem);
    background: var(--slip); border: 1px solid var(--line); border-radius: 3px;
    box-shadow: 0 1px 0 var(--line), 0 18px 40px -28px #000a;
  }
  main:has(article) { width: min(60rem, 100% - 1.5rem); }
  h1 { margin: 0 0 .75rem; font-size: 1.15rem; line-height: 1.3; letter-spacing: .01em; }
  h2 { margin: 0; font-size: 1rem; overflow-wrap: anywhere; }
  p { margin: 0 0 1rem; }
  .lead { font-size: 1.1rem; }
  .amount {
    margin: 0 0 .75rem; font: 600 clamp(2.5rem, 13vw, 3.6rem)/1.05 "Iowan Old Style", Charter, Georgia, "Noto Serif", serif;
    font-variant-numeric: tabular-nums lining-nums; letter-spacing: -.02em;
  }
  dl { margin: 0 0 1.25rem; border-top: 1px dashed var(--edge); border-bottom: 1px dashed var(--edge); padding: .5rem 0; }
  dl > div { display: grid; grid-template-columns: 8.5rem 1fr; gap: .15rem .75rem; padding: .2rem 0; }
  dt { color: var(--quiet); }
  dd { margin: 0; overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }
  @media (max-width: 26rem) { dl > div { grid-template-columns: 1fr; } }
  fieldset { border: 0; margin: 0 0 1.5rem; padding: 0; display: grid; gap: .9rem; }
  legend { padding: 0; margin-bottom: .6rem; font-weight: 600; }
  label { display: grid; gap: .25rem; }
  label:has([type=checkbox]) { display: flex; gap: .6rem; align-items: center; min-height: 2.75rem; }
  [type=checkbox] { width: 1.35rem; height: 1.35rem; accent-color: var(--go); flex: none; }
  select, button {
    width: 100%; min-height: 2.9rem; padding: .5rem .8rem; font: inherit; color: inherit;
    background: var(--slip); border: 1px solid var(--edge); border-radius: 3px;
  }
  button { cursor: pointer; text-align: left; }
  button small { display: block; color: var(--quiet); font-size: .85rem; }
  button strong { font-weight: 600; }
  button:hover { border-color: var(--go); box-shadow: inset 3px 0 0 var(--go); }
  .go { background: var(--go); color: var(--on-go); border-color: var(--go); }
  .go small { color: inherit; }
  :focus-visible { outline: 3px solid var(--go); outline-offset: 2px; }
  .stack { display: grid; gap: .6rem; }
  article { margin-top: 1.5rem; padding-top: 1rem; border-top: 2px solid var(--ink); }
  article > .head { display: flex; flex-wrap: wrap; gap: .25rem 1rem; justify-content: space-between; margin-bottom: .6rem; }
  .actions { display: grid; gap: .6rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 13rem), 1fr)); align-items: end; }
  .actions form { display: grid; gap: .4rem; }
  a { color: var(--go); text-underline-offset: .2em; }
`;
