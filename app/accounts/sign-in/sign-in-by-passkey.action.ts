import { data } from "react-router";
import { appContext } from "../../platform/app-context.server.ts";
import { createFormAction, type Refusal } from "../../platform/forms.server.ts";
import { countAsker } from "../../platform/rate-limit.server.ts";
import { redirect } from "../../platform/redirect.server.ts";
import { getHomePath } from "../roles.ts";
import { setSessionCookies, readKnownBrowser } from "../sessions/known-device.server.tsx";
import { passkeyForm } from "../forms.server.ts";
import { passkeyByClient, signInByPasskey } from "./sign-in.server.ts";

/** Signs in with a passkey that the sign-in screen asked for. */
export const action = createFormAction({
  schema: passkeyForm,
  async run({ request, context, value: { response } }) {
    await countAsker(context, passkeyByClient);
    const { db, config } = context.get(appContext);
    return signInByPasskey({ db, config }, response, (email) =>
      readKnownBrowser(context, request, email),
    );
  },
  done(signedIn, { request, context, value: { next } }) {
    setSessionCookies(context, request, signedIn);
    return {
      toast: { kind: "success", title: "Successfully signed in!" },
      data: redirect(next ?? getHomePath(signedIn.roles)),
    };
  },
  failed: ({ refusal }) => ({ data: omitTexts(refusal) }),
  invalid: (refusal) => ({ data: omitTexts(refusal) }),
});

/** The passkey's response was not typed, so it is not sent back. */
function omitTexts({ data: { errors }, init }: Refusal) {
  return data({ errors }, init ?? {});
}

/** This URL has no page. */
export function loader() {
  return redirect("/login");
}
