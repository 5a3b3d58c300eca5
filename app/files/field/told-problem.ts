import { useRouteLoaderData } from "react-router";
import type { Toast } from "../../platform/toast.ts";
import type { UploadProblem, UploadPurpose } from "../rules.ts";

/** Why the file that a plain form has just sent was refused; its field says it too. Null if none was. */
export function useProblemToast(purpose: UploadPurpose): UploadProblem | null {
  const root = useRouteLoaderData<{ toasts: Toast[] }>("root");
  const told = root?.toasts.find(({ about }) => about === purpose);
  return told ? { title: told.title, description: told.description ?? "" } : null;
}
