import { RouterContextProvider } from "react-router";
import { expect, test } from "vitest";
import { z } from "zod";
import { Invalid } from "./errors.ts";
import { type RequestFacts, requestFacts } from "./app-context.server.ts";
import {
  createFormAction,
  createFormActions,
  createFormIntent,
  showReasonAsToast,
  type Refusal,
  buildSuccess,
} from "./forms.server.ts";

test("null characters are removed from a form", async () => {
  const read = sendingTo(
    createFormAction({
      schema: z.object({ address: z.string(), note: z.string() }),
      run: async ({ value }) => value,
      done: (value) => ({ data: value }),
      failed: "Failed",
    }),
  );
  expect(await read({ address: "https://example.com/a\u0000b", note: "\u0000" })).toEqual({
    address: "https://example.com/ab",
    note: "",
  });
});

test("a form's texts are cleaned, but not its passwords", async () => {
  const read = sendingTo(
    createFormAction({
      schema: z.object({ anything: z.string(), newPassword: z.string() }),
      run: async ({ value }) => value,
      done: (value) => ({ data: value }),
      failed: "Failed",
    }),
  );
  const typed = "Cafe\u0301\u00a0\u200bnoir\u00ad";
  expect(await read({ anything: typed, newPassword: typed })).toEqual({
    anything: "Café noir",
    newPassword: typed,
  });
});

test("a form's intent selects the action, and an unknown intent is refused", async () => {
  const rename = createFormIntent({
    schema: z.object({ name: z.string().min(1, "Please enter a name") }),
    run: async ({ value }) => value.name,
    done: (name) => ({ ...buildSuccess(name), toast: undefined }),
    failed: "Failed to rename",
  });
  const send = sendingTo(createFormActions({ rename }));
  expect(await send({ intent: "rename", name: "Asha" })).toEqual({ ok: true });
  expect(await send({ intent: "rename" })).toMatchObject({
    data: { errors: { name: "Please enter a name" } },
    init: { status: 422 },
  });
  for (const intent of ["drop", "toString", ""]) {
    expect(await send({ intent, name: "Asha" })).toMatchObject({
      data: { errors: { intent: "Please check this field and send the form again" } },
      init: { status: 422 },
    });
  }
});

test("a screen can define its own answers to invalid and failed forms", async () => {
  const send = sendingTo(
    createFormAction({
      schema: z.object({ token: z.string().min(1) }),
      run: async ({ value }) => {
        throw new Invalid({ "": `${value.token} is no token` });
      },
      done: () => ({ data: { state: "done" } }),
      failed: ({ message }) => ({ data: { state: message } }),
      invalid: ({ data: { errors } }) => ({ data: { state: Object.keys(errors).join() } }),
    }),
  );
  expect(await send({})).toEqual({ state: "token" });
  expect(await send({ token: "x" })).toEqual({ state: "x is no token" });
});

test("a reason shown as toast isn't repeated above the form", async () => {
  const context = new RouterContextProvider();
  context.set(requestFacts, { toasts: [] } as unknown as RequestFacts);
  const send = sendingTo(
    createFormAction({
      schema: z.object({ name: z.string() }),
      run: async () => {
        throw new Invalid({ "": "This name is taken", name: "Choose another" });
      },
      done: () => ({ data: null }),
      failed: ({ refusal }) => showReasonAsToast({ message: "This name is taken", refusal }),
    }),
    context,
  );
  const answer = await send({ name: "Asha" });
  expect(answer).toMatchObject({
    type: "DataWithResponseInit",
    data: { errors: { name: "Choose another" }, values: { name: "Asha" } },
    init: { status: 422 },
  });
  expect(Object.keys((answer as Refusal).data.errors)).toEqual(["name"]);
  expect(context.get(requestFacts).toasts).toEqual([
    { kind: "error", title: "This name is taken", description: undefined },
  ]);
});

function sendingTo(
  action: ReturnType<typeof createFormAction>,
  context = new RouterContextProvider(),
) {
  return (fields: Record<string, string>) => {
    const url = new URL("http://localhost/");
    const request = new Request(url, { method: "POST", body: new URLSearchParams(fields) });
    return action({ request, url, params: {}, context });
  };
}
