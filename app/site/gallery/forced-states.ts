import { useEffect } from "react";

/**
 * Shows the hover and focus of every component below `.as-hover` and `.as-focus`. It extends the rules of these states
 * in all loaded stylesheets, so that the gallery shows what the product does.
 */
export function useForcedStates(): void {
  useEffect(() => {
    for (const stylesheet of document.styleSheets) extendRules(stylesheet.cssRules);
  }, []);
}

function extendRules(rules: CSSRuleList): void {
  for (const rule of rules) {
    if (rule instanceof CSSStyleRule && !rule.selectorText.includes(".as-"))
      rule.selectorText = rule.selectorText
        .replaceAll(":hover", ":is(:hover, .as-hover *)")
        .replaceAll(":focus-visible", `:is(:focus-visible, .as-focus :where(${controls}))`);
    if ("cssRules" in rule) extendRules(rule.cssRules as CSSRuleList);
  }
}

const controls = "a, button, input, select, textarea, summary";
