import source from "./tokens.css?raw";

/** A custom property of `tokens.css`, and its value in each theme. */
export type Token = { name: string; light: string; dark: string; isThemed: boolean };

export function listTokens(): Token[] {
  return [...source.matchAll(/^\s*(--[\w-]+):\s*([^;]+);/gm)].map(([, name = "", value = ""]) => ({
    name,
    light: value.replaceAll(/light-dark\(([^,]+), ([^)]+)\)/g, "$1"),
    dark: value.replaceAll(/light-dark\(([^,]+), ([^)]+)\)/g, "$2"),
    isThemed: /light-dark|var\(--(?:color|corner)/.test(value),
  }));
}
