import type { Config } from "@react-router/dev/config";

export default {
  future: { unstable_enableNodeReadableStream: true },
} satisfies Config;
