import type { Config } from "@react-router/dev/config";

export default {
  // A screen's client action is a line or two, so a separate file would cost more than it saves.
  splitRouteModules: false,
  future: { unstable_enableNodeReadableStream: true },
} satisfies Config;
