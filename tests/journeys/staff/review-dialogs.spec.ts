import type { Locator } from "@playwright/test";
import { eq } from "drizzle-orm";
import { day, now } from "../../../app/platform/clock.ts";
import { reviewImages, serviceReviews } from "../../../app/reviews/tables.server.ts";
import {
  assignedReview,
  completedReview,
  attachFiles,
  pendingReview,
} from "../../support/rows/review-states.ts";
import { openAssigned, ownPeople } from "../support/staff.ts";
import { holdBack } from "../support/steps.ts";
import { expect, test } from "../support/test.ts";
import { slowCases } from "../../support/inventory/selection.ts";

test("closing or saving a dialog returns the focus to the row's menu button", async ({
  browserOf,
  product,
}) => {
  const { page, id } = await openAssigned(product, browserOf);
  const button = page.getByRole("button", { name: `Actions for review ${id}` });
  const dialog = page.getByRole("dialog", { name: "Set Priority" });
  await button.focus();
  for (const end of ["Escape", "Enter"]) {
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await expect(page.getByRole("link", { name: "Edit Priority" })).toBeFocused();
    await page.keyboard.press("Enter");
    if (end === "Enter") await dialog.getByLabel("Priority").selectOption("High");
    await dialog.getByRole("button", { name: "Save Changes" }).focus();
    await page.keyboard.press(end);
    await expect(dialog).toBeHidden();
    await expect(button).toBeFocused();
  }
  await expect(page.getByText("Review updated successfully")).toBeVisible();
});

test("a changed dialog asks before Escape discards it; Cancel doesn't ask", async ({
  browserOf,
  product,
}) => {
  const { customer, nila } = await ownPeople(product);
  const dueAt = new Date(now().getTime() + day);
  const id = await assignedReview(product.db, customer, nila, { dueAt });
  const page = await browserOf("gita@example.in", `/admin/reviews/assigned?reviewer=${nila.id}`);
  const question = page.getByRole("dialog", { name: "Discard your changes?" });
  for (const [action, title, change] of [
    [
      "Edit Priority",
      "Set Priority",
      (dialog) => dialog.getByLabel("Priority").selectOption("Low"),
    ],
    ["Reassign", "Reassign", (dialog) => dialog.getByRole("combobox").selectOption({ index: 1 })],
    [/due date/i, "Set Later Due Date", (dialog) => dialog.getByLabel(/due date/).press("ArrowUp")],
  ] satisfies [string | RegExp, string, (dialog: Locator) => Promise<unknown>][]) {
    const dialog = page.getByRole("dialog", { name: title });
    const open = async () => {
      await page.getByLabel(`Actions for review ${id}`).click();
      await page.getByRole("link", { name: action }).click();
    };
    await open();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await expect(dialog).toBeHidden();
    await open();
    await change(dialog);
    await page.keyboard.press("Escape");
    await question.getByRole("button", { name: "Keep editing" }).click();
    await expect(question).toBeHidden();
    await page.keyboard.press("Escape");
    await question.getByRole("button", { name: "Discard changes" }).click();
    await expect(dialog).toBeHidden();
    // Cancel discards without asking.
    await open();
    await change(dialog);
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await expect(dialog).toBeHidden();
  }
});

test("a dialog stays open while its form is being saved", async ({ browserOf, product }) => {
  const { page, id } = await openAssigned(product, browserOf);
  await page.getByLabel(`Actions for review ${id}`).click();
  await page.getByRole("link", { name: "Edit Priority" }).click();
  const dialog = page.getByRole("dialog", { name: "Set Priority" });
  await dialog.getByLabel("Priority").selectOption("High");
  // Clicks both before the router reports that the form is submitting.
  await dialog.evaluate((element) => {
    element.querySelector<HTMLElement>(".dialog_foot [type=submit]")!.click();
    element.querySelector<HTMLElement>("[aria-label=Close]")!.click();
  });
  await expect(page.getByText("Please wait, changes are being saved...")).toBeVisible();
  await expect(page.getByText("Review updated successfully")).toBeVisible();
  await expect(dialog).toHaveCount(0);
});

for (const [list, title] of [
  ["", "Set Priority"],
  // Covered by "a dialog of /admin/reviews is open again after a reload".
  ...slowCases([
    ["/assigned", "Set Priority"],
    ["/completed", "Edit Review"],
  ] as const),
] as const) {
  test(`a dialog of /admin/reviews${list} is open again after a reload`, async ({
    browserOf,
    product,
  }) => {
    const { customer, nila } = await ownPeople(product);
    const make = { "": pendingReview, "/assigned": assignedReview, "/completed": completedReview };
    const id = await make[list](product.db, customer, nila);
    await attachFiles(product.db, id);
    const page = await browserOf("gita@example.in");
    const filter = list === "/assigned" ? `reviewer=${nila.id}` : "";
    await page.goto(`/admin/reviews${list}?${filter}&edit=${id}`);
    const dialog = page.locator("dialog:modal");
    await expect(dialog).toHaveAccessibleName(title);
    await page.reload();
    await expect(dialog).toHaveAccessibleName(title);
    await expect(dialog.getByLabel("Priority")).toBeFocused();
    await expect(dialog.getByRole("tab")).toHaveCount(list === "/completed" ? 1 : 0);
    await page.keyboard.press("Escape");
    await expect(dialog).toHaveCount(0);
    await expect(page).toHaveURL(`/admin/reviews${list}${filter && `?${filter}`}`);
  });
}

test("the second of two admins who edit an image sees a conflict and keeps their text", async ({
  browserOf,
  product,
}) => {
  const { customer, nila } = await ownPeople(product);
  const id = await completedReview(product.db, customer, nila);
  const { imageId } = await attachFiles(product.db, id);
  const page = await browserOf("gita@example.in", `/admin/reviews/completed?edit=${id}`);
  const dialog = page.getByRole("dialog", { name: "Edit Review" });
  await dialog.locator("summary", { hasText: "Edit" }).first().click();
  const form = dialog.locator(".edit-review_images .edit-review_image-form");
  await form.getByLabel("Annotation (optional)").fill("Begin here");
  const annotation = "The other admin's words";
  const ofImage = eq(reviewImages.id, imageId);
  await product.db.update(reviewImages).set({ annotation }).where(ofImage);
  for (const _attempt of ["first", "second"]) {
    await form.getByRole("button", { name: "Save" }).click();
    await expect(form.getByText(/^Someone else changed this image/)).toBeVisible();
    await expect(form.getByLabel("Annotation (optional)")).toHaveValue("Begin here");
    await expect(dialog.locator("figcaption")).toHaveText(annotation);
  }
  expect(await product.db.select().from(reviewImages).where(ofImage)).toMatchObject([
    { annotation },
  ]);
  // With the other admin's text, the form can be saved again.
  await form.getByLabel("Annotation (optional)").fill(annotation);
  await form.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Image updated successfully")).toBeVisible();
  await dialog.locator("summary", { hasText: "Edit" }).first().click();
  await form.getByLabel("Annotation (optional)").fill("Begin here");
  await form.getByRole("button", { name: "Save" }).click();
  await expect(dialog.locator("figcaption")).toHaveText("Begin here");
});

test("a link to a review that has left the list shows an error", async ({ browserOf, product }) => {
  const { customer, nila } = await ownPeople(product);
  const pending = await pendingReview(product.db, customer);
  const completed = await completedReview(product.db, customer, nila);
  const page = await browserOf("gita@example.in");
  for (const address of [
    `/admin/reviews?edit=${completed}`,
    `/admin/reviews/assigned?reassign=${completed}`,
    `/admin/reviews/completed?edit=${pending}`,
  ]) {
    await page.goto(address);
    await expect(page.getByText("Failed to load review details")).toBeVisible();
    await expect(page.getByRole("dialog")).toHaveCount(0);
  }
});

test("an admin edits the feedback and images of a completed review, and sees its files", async ({
  browserOf,
  product,
}) => {
  const { customer, nila } = await ownPeople(product);
  const id = await completedReview(product.db, customer, nila);
  await attachFiles(product.db, id);
  await attachFiles(product.db, id);
  const page = await browserOf("gita@example.in", "/admin/reviews/completed");
  await page
    .getByRole("row", { name: id })
    .getByRole("link", { name: "Edit", exact: true })
    .click();
  const dialog = page.getByRole("dialog", { name: "Edit Review" });
  await expect(dialog.getByRole("tab", { name: "File 1" })).toHaveAttribute(
    "aria-selected",
    "true",
  );
  await dialog.getByRole("tab", { name: "File 2" }).click();
  await expect(dialog.getByRole("tabpanel", { name: "File 2" })).toContainText("notes.pdf");

  await dialog.getByRole("button", { name: "Add image" }).click();
  const add = dialog.locator(".edit-review_add-image");
  await expect(add.getByText("Image URL is required")).toBeVisible();
  await expect(page.getByText("Failed to add image")).toBeVisible();
  await expect(page.getByText("Image URL is required")).toHaveCount(1);
  await add.getByLabel("Image URL").fill(`${product.origin}/og.png`);
  await add.getByLabel("Annotation (optional)").fill("  Added later  ");
  const release = await holdBack(page, /\/completed\.data/, "POST");
  await dialog.getByRole("button", { name: "Add image" }).click();
  // Saving clears the form, so text typed meanwhile would be lost.
  await expect(add.getByLabel("Image URL")).not.toBeEditable();
  release();
  await expect(page.getByText("Image added successfully")).toBeVisible();
  await expect(dialog.getByText("Added later", { exact: true }).first()).toBeVisible();

  await dialog.locator("summary", { hasText: "Delete" }).first().click();
  await expect(
    dialog.getByText("Are you sure you want to delete this image?").first(),
  ).toBeVisible();
  await dialog.getByRole("button", { name: "Delete image" }).first().click();
  await expect(page.getByText("Image deleted successfully")).toBeVisible();
  const images = await product.db
    .select()
    .from(reviewImages)
    .where(eq(reviewImages.reviewId, id))
    .orderBy(reviewImages.annotation);
  expect(images.map(({ annotation }) => annotation)).toEqual(["Added later", "The cover"]);

  await dialog.getByLabel("Priority").selectOption("Medium");
  await dialog.getByLabel("Reviewer Feedback").fill("Open with the outcome of the work.");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Keep editing" }).click();
  await dialog.getByRole("button", { name: "Save Changes" }).click();
  await expect(page.getByText("Review updated successfully")).toBeVisible();
  await expect(dialog).toHaveCount(0);
  await expect(
    page.getByRole("cell", { name: "Open with the outcome of the work." }),
  ).toBeVisible();
  const [saved] = await product.db.select().from(serviceReviews).where(eq(serviceReviews.id, id));
  expect(saved?.priority).toBe(2);
});
