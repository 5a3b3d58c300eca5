/** The look of the product for small pages that the server writes without React, such as those of the demo. */
import faces from "../fonts.css?raw";
import { listTokens, widerScreens } from "./tokens.server.ts";

const addresses = import.meta.glob<string>("../fonts/*.woff2", {
  eager: true,
  import: "default",
  query: "?url",
});

/** The addresses of the product's font files, by name. They work only on the product's own site. */
const ownFonts = new Map(
  Object.entries(addresses).map(([path, address]) => [path.split("/").at(-1)!, address]),
);

/** Links in the head of a page on the product's own site, so that its first view has the faces. */
export const fontPreloads = ["anek-latin.woff2", "instrument-sans.woff2"]
  .map((name) => ownFonts.get(name))
  .map((href) => `<link rel="preload" href="${href}" as="font" type="font/woff2" crossorigin>`)
  .join("");

/** The sign beside the product's name, as in the header of a screen. */
export const mark = `<svg class="mark" viewBox="0 0 32 32" aria-hidden="true"><path d="M16 3 30 28H2z" fill="none" stroke="currentColor" stroke-width="3.5"/><circle cx="16" cy="20" r="3.75" fill="var(--color-accent)"/></svg>`;

/**
 * Builds the styles of such a page: the tokens, the faces, and what every page has, such as the map's edge.
 *
 * @param fonts the addresses of font files by name; a face without its file is left out
 */
export function buildPageStyles(fonts: ReadonlyMap<string, string> = ownFonts): string {
  return [...listThemes(), ...listFaces(fonts), basics].join("\n");
}

/** Without `light-dark()`, which the build replaces too, since older browsers of those we support lack it. */
function listThemes(): string[] {
  const tokens = listTokens();
  const dark = tokens
    .filter(({ isThemed }) => isThemed)
    .map((token) => `${token.name}:${token.dark};`);
  return [
    `:root{${tokens.map(({ name, light }) => `${name}:${light};`).join("")}}`,
    `@media (prefers-color-scheme:dark){:root:not([data-theme="light"]){${dark.join("")}}}`,
    `:root[data-theme="dark"]{${dark.join("")}}`,
    widerScreens,
  ];
}

function listFaces(fonts: ReadonlyMap<string, string>): string[] {
  return [...faces.matchAll(/@font-face \{[^}]*\}/g)].flatMap(([face]) => {
    const file = /url\("\.\/fonts\/([^"]+)"\)/.exec(face)?.[1];
    if (!file) return [face];
    const address = fonts.get(file);
    return address ? [face.replace(`./fonts/${file}`, address)] : [];
  });
}

const basics = `
:root { color-scheme: light dark; }
[data-theme="light"] { color-scheme: light; }
[data-theme="dark"] { color-scheme: dark; }
*, ::before, ::after { box-sizing: border-box; }
html {
  background:
    linear-gradient(var(--color-ink) 0 0) 0 7px / 100% 1px no-repeat,
    var(--neatline) 0 0 / 5rem 8px repeat-x var(--color-paper);
  color: var(--color-ink);
  -webkit-text-size-adjust: 100%;
  text-size-adjust: 100%;
}
body {
  margin: 0;
  font: 400 var(--text-base) / var(--text-base--line-height) var(--font-text);
   overflow-wrap: anywhere;
  text-wrap: pretty;
}
h1, h2 { margin: 0; font-weight: 500; letter-spacing: -0.012em; line-height: 1.2; text-wrap: balance; }
h1 {
  font: 600 var(--text-3xl) / var(--text-3xl--line-height) var(--font-display);
  letter-spacing: -0.022em;
}
h2 { font-size: var(--text-lg); }
p { margin: 0; }
strong { font-weight: 600; }
a { color: var(--color-link); text-decoration-thickness: 1px; text-underline-offset: 0.2em; }
.wordmark {
  display: inline-flex;
  gap: 0.6rem;
  align-items: center;
  color: var(--color-ink);
  font: 600 var(--text-xl) / 1 var(--font-display);
  letter-spacing: -0.03em;
  text-decoration: none;
}
.mark { flex: none; width: 2rem; height: 2rem; }
button, input, select { color: inherit; font: inherit; }
button { cursor: pointer; }
:focus-visible { outline: 2px solid var(--color-focus); outline-offset: 2px; }
`;
