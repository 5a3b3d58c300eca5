import { listTokens, type Token } from "../../ui/brand/tokens.server.ts";

export type GalleryTokens = ReturnType<typeof readTokens>;

/** Reads the tokens from their stylesheet: those that differ between themes, all colours, and the sizes of text. */
export function readTokens() {
  const all = listTokens();
  const isColor = ({ name }: Token) => name.startsWith("--color-");
  return {
    styles: (["light", "dark"] as const).map((theme) => buildThemeRule(theme, all)).join("\n"),
    colors: all.filter(isColor).map(({ name, light, dark }) => ({ name, light, dark })),
    textSizes: all.flatMap(({ name }) => (/^--text-\w+$/.test(name) ? [name] : [])),
  };
}

/** The build resolves the themed tokens at the root, so a part of the page needs its own. */
function buildThemeRule(theme: "light" | "dark", tokens: readonly Token[]): string {
  const lines = tokens
    .filter(({ isThemed }) => isThemed)
    .map((token) => `${token.name}:${token[theme]}`);
  return `.gallery_panel[data-theme="${theme}"]{${lines.join(";")}}`;
}
