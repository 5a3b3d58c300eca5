import sheet from "./tokens.css?raw";

/** A custom property of `tokens.css`, and its value in each theme. */
export type Token = { name: string; light: string; dark: string; isThemed: boolean };

/** The rules for wider screens, which change the sizes of headings. */
export const widerScreens = [...sheet.matchAll(/^@media[^{]+\{[\s\S]*?^\}/gm)].join("\n");

export function listTokens(): Token[] {
  const [ownSizes] = sheet.split("@media");
  return [...ownSizes!.matchAll(/^\s*(--[\w-]+):\s*([^;]+);/gm)].map(
    ([, name = "", value = ""]) => ({
      name,
      light: value.replaceAll(/light-dark\(([^,]+), ([^)]+)\)/g, "$1"),
      dark: value.replaceAll(/light-dark\(([^,]+), ([^)]+)\)/g, "$2"),
      isThemed: /light-dark|var\(--(?:color)/.test(value),
    }),
  );
}
