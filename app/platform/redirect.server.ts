import { redirect as redirectAnywhere } from "react-router";
import type { OwnPath } from "./own-path.ts";

/** The router's redirect, for paths of this product only. */
export const redirect: (path: OwnPath, init?: ResponseInit) => Response = redirectAnywhere;
