import type { Config } from "@react-router/dev/config";

export default {
  // What a screen does with its answers is a line or two: a file of its own would cost more than it.
  splitRouteModules: false,
  future: { unstable_enableNodeReadableStream: true },
} satisfies Config;
