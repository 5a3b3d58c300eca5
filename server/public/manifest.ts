import type { Product } from "../../app/platform/config.server.ts";
import { paperColors } from "../../app/site/theme.ts";

/** What a device shows when somebody keeps the product beside their applications. */
export function manifest({ name }: Pick<Product, "name">) {
  return {
    id: "/",
    name,
    short_name: name,
    description: "Design jobs in India with a real person to ask, and expert reviews.",
    lang: "en-IN",
    start_url: "/",
    scope: "/",
    display: "minimal-ui",
    theme_color: paperColors.light,
    background_color: paperColors.light,
    icons: [
      { src: "/icon-192.png", sizes: "192x192", type: "image/png" },
      { src: "/icon-512.png", sizes: "512x512", type: "image/png" },
      { src: "/icon-maskable-512.png", sizes: "512x512", type: "image/png", purpose: "maskable" },
    ],
  };
}
