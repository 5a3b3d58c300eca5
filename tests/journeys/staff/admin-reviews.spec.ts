import type { Locator, Page } from "@playwright/test";
import { eq } from "drizzle-orm";
import { day, now } from "../../../app/platform/clock.ts";
import { reviewImages, serviceReviews } from "../../../app/reviews/tables.server.ts";
import {
  assignedReview,
  completedReview,
  handBack,
  pendingReview,
  pendingReviews,
  reviewRow,
} from "../../support/rows/review-states.ts";
import { ownPeople } from "../support/staff.ts";
import { comeBack, holdBack } from "../support/steps.ts";
import { expect, test } from "../support/test.ts";

const tick = (page: Page, id: string) =>
  page.getByRole("checkbox", { name: `Select review ${id}` });
const reviewer = (page: Page) =>
  page.locator(".assign-bar").getByLabel("Reviewer", { exact: true });

test("ticked reviews are assigned; a filter clears the ticks, and all means those shown", async ({
  browserOf,
  product,
}) => {
  const { customer, nila } = await ownPeople(product);
  const [one = "", two = ""] = await pendingReviews(product.db, customer, 3);
  const page = await browserOf("gita@example.in");
  await page.goto("/admin/reviews");
  const assign = page.getByRole("button", { name: /^Assign Selected/ });
  await expect(assign).toHaveText("Assign Selected (0)");
  await tick(page, one).check();
  await expect(assign).toHaveText("Assign Selected (1)");
  await expect(assign).toBeDisabled();

  await page.getByLabel("Service type").selectOption("Resume Review");
  await expect(page).toHaveURL(/type=resume_review/);
  await expect(assign).toHaveText("Assign Selected (0)");
  const shown = await page.getByRole("checkbox", { name: /^Select review/ }).count();
  await page.getByRole("checkbox", { name: "Select all" }).check();
  await expect(assign).toHaveText(`Assign Selected (${shown})`);
  await page.getByRole("checkbox", { name: "Select all" }).uncheck();

  await tick(page, one).check();
  await tick(page, two).check();
  await reviewer(page).selectOption({ label: `${nila.fullName} (0)` });
  await assign.click();
  await expect(page.getByText("Successfully assigned 2 reviews to reviewer")).toBeVisible();
  await expect(tick(page, one)).toHaveCount(0);
  await expect(assign).toHaveText("Assign Selected (0)");
  await expect(page.getByRole("option", { name: `${nila.fullName} (2)` })).toHaveCount(1);
  for (const id of [one, two]) {
    const { review, assignment } = await reviewRow(product.db, id);
    expect([review.status, assignment?.reviewerId]).toEqual(["under_review", nila.id]);
  }
});

test("of a mixed selection only what can move is reassigned, and all of it is taken back", async ({
  browserOf,
  product,
}) => {
  const { customer, nila, omana } = await ownPeople(product);
  // The longest assigned come first.
  const assignedAt = new Date(now().getTime() - 500 * day);
  const ids = await Promise.all(
    [nila, nila, omana].map((holder) =>
      assignedReview(product.db, customer, holder, { assignedAt }),
    ),
  );
  const page = await browserOf("gita@example.in");
  await page.goto("/admin/reviews/assigned");
  for (const id of ids) await tick(page, id).check();
  await expect(page.getByRole("button", { name: "Reassign Selected (3)" })).toBeVisible();
  await reviewer(page).selectOption({ label: `${omana.fullName} (1)` });
  await page.getByRole("button", { name: "Reassign Selected (3)" }).click();
  await expect(page.getByText("Reassigned 2 out of 3 reviews")).toBeVisible();
  await expect(page.getByText("1 review is already assigned to this reviewer.")).toBeVisible();
  await expect(page.getByRole("button", { name: /^Reassign Selected/ })).toHaveCount(0);

  await page.goto(`/admin/reviews/assigned?reviewer=${omana.id}`);
  await page.getByRole("checkbox", { name: "Select all" }).check();
  await page.getByRole("button", { name: "Unassign Selected (3)" }).click();
  const question = page.getByRole("dialog", { name: "Unassign reviews" });
  await expect(question).toContainText(
    "Are you sure you want to unassign 3 reviews? This will return them to the pending queue.",
  );
  const letGo = await holdBack(page, /\/assigned\.data/, "POST");
  await question.getByRole("button", { name: "Unassign" }).click();
  await page.keyboard.press("Escape");
  await expect(page.getByText("Please wait, changes are being saved...")).toBeVisible();
  await expect(question).toBeVisible();
  letGo();
  await expect(page.getByText("Successfully unassigned 3 reviews")).toBeVisible();
  for (const id of ids) {
    const { review, assignment } = await reviewRow(product.db, id);
    expect([review.status, assignment]).toEqual(["pending", null]);
  }
});

test("one review is taken back from its row: ticks and address are as before, and nothing asks again", async ({
  browserOf,
  product,
}) => {
  const { customer, nila } = await ownPeople(product);
  const [one, two] = [
    await assignedReview(product.db, customer, nila),
    await assignedReview(product.db, customer, nila),
  ];
  const page = await browserOf("gita@example.in");
  const list = `/admin/reviews/assigned?reviewer=${nila.id}`;
  await page.goto(list);
  await tick(page, two).check();
  await page.getByLabel(`Actions for review ${one}`).click();
  await page.getByRole("link", { name: "Unassign" }).click();
  const question = page.getByRole("dialog", { name: "Unassign" });
  await question.getByRole("button", { name: "Unassign" }).dblclick();
  await expect(
    page.getByText(/^(Successfully unassigned|Review unassigned)/).first(),
  ).toBeVisible();
  await expect(tick(page, one)).toHaveCount(0);
  await expect(tick(page, two)).not.toBeChecked();
  await expect(page).toHaveURL(list);
  await expect(page.getByText(/^Failed/)).toHaveCount(0);
});

test("a double click assigns once, and so do two presses before anything is drawn", async ({
  browserOf,
  product,
}) => {
  const { customer, nila } = await ownPeople(product);
  const ids = await pendingReviews(product.db, customer, 2);
  const page = await browserOf("gita@example.in");
  await page.goto("/admin/reviews");
  const assign = page.getByRole("button", { name: /^Assign Selected/ });
  const presses = [
    () => assign.dblclick(),
    () =>
      assign.evaluate((button: HTMLElement) => {
        button.click();
        button.click();
      }),
  ];
  for (const [index, press] of presses.entries()) {
    await tick(page, ids[index]!).check();
    await reviewer(page).selectOption({ label: `${nila.fullName} (${index})` });
    await press();
    await expect(tick(page, ids[index]!)).toHaveCount(0);
  }
  await expect(page.getByText("Successfully assigned 1 review to reviewer")).toHaveCount(2);
  await expect(page.getByText(/already assigned/)).toHaveCount(0);
});

test("a priority is set by the keyboard alone", async ({ browserOf, product }) => {
  const { customer, nila } = await ownPeople(product);
  const id = await assignedReview(product.db, customer, nila);
  const page = await browserOf("gita@example.in");
  await page.goto(`/admin/reviews/assigned?reviewer=${nila.id}`);
  await expect(page.getByRole("checkbox", { name: "Select all" })).toBeEnabled();
  await tick(page, id).focus();
  await page.keyboard.press("Space");
  await expect(page.getByRole("button", { name: "Reassign Selected (1)" })).toBeVisible();
  await page.keyboard.press("Space");
  await page.getByLabel(`Actions for review ${id}`).focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Edit Priority" })).toBeFocused();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Set Priority" });
  await expect(dialog).toBeVisible();
  await dialog.getByLabel("Priority").focus();
  await page.keyboard.press("H");
  await expect(dialog.getByLabel("Priority")).toHaveValue("3");
  await page.keyboard.press("Tab");
  await expect(dialog.getByRole("button", { name: "Save Changes" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByText("Review updated successfully")).toBeVisible();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole("cell", { name: "High" })).toBeVisible();
  expect((await reviewRow(product.db, id)).review.priority).toBe(3);
});

test("a dialog of a row's menu gives the focus back to the menu's button, also once it is saved", async ({
  browserOf,
  product,
}) => {
  const { customer, nila } = await ownPeople(product);
  const id = await assignedReview(product.db, customer, nila);
  const page = await browserOf("gita@example.in");
  await page.goto(`/admin/reviews/assigned?reviewer=${nila.id}`);
  const button = page.getByLabel(`Actions for review ${id}`);
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

test("a choice and a date that were changed in a dialog are not lost by a stray key", async ({
  browserOf,
  product,
}) => {
  const { customer, nila } = await ownPeople(product);
  const dueAt = new Date(now().getTime() + day);
  const id = await assignedReview(product.db, customer, nila, { dueAt });
  const page = await browserOf("gita@example.in");
  await page.goto(`/admin/reviews/assigned?reviewer=${nila.id}`);
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
    // Who presses Cancel means it.
    await open();
    await change(dialog);
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await expect(dialog).toBeHidden();
  }
});

test("a dialog whose form has just been sent does not close", async ({ browserOf, product }) => {
  const { customer, nila } = await ownPeople(product);
  const id = await assignedReview(product.db, customer, nila);
  const page = await browserOf("gita@example.in");
  await page.goto(`/admin/reviews/assigned?reviewer=${nila.id}`);
  await page.getByLabel(`Actions for review ${id}`).click();
  await page.getByRole("link", { name: "Edit Priority" }).click();
  const dialog = page.getByRole("dialog", { name: "Set Priority" });
  await dialog.getByLabel("Priority").selectOption("High");
  // Faster than the router tells that the form is under way.
  await dialog.evaluate((element) => {
    element.querySelector<HTMLElement>("footer [type=submit]")!.click();
    element.querySelector<HTMLElement>("[aria-label=Close]")!.click();
  });
  await expect(page.getByText("Please wait, changes are being saved...")).toBeVisible();
  await expect(page.getByText("Review updated successfully")).toBeVisible();
  await expect(dialog).toHaveCount(0);
});

test("a list is read again when one comes back to it, but nothing that one is at is disturbed", async ({
  browserOf,
  product,
}) => {
  const { customer, nila } = await ownPeople(product);
  const [one, two] = [
    await assignedReview(product.db, customer, nila),
    await assignedReview(product.db, customer, nila),
  ];
  const page = await browserOf("gita@example.in");
  await page.goto(`/admin/reviews/assigned?reviewer=${nila.id}`);
  const cells = (id: string) => page.getByRole("row").filter({ has: tick(page, id) });
  await tick(page, one).check();
  const setTo = (priority: number) =>
    product.db.update(serviceReviews).set({ priority }).where(eq(serviceReviews.id, two));
  await setTo(3);
  await comeBack(page);
  await expect(cells(two)).toContainText("High");
  await expect(tick(page, one)).toBeChecked();

  await page.getByLabel(`Actions for review ${two}`).click();
  await page.getByRole("link", { name: "Edit Priority" }).click();
  const dialog = page.getByRole("dialog", { name: "Set Priority" });
  await setTo(2);
  await comeBack(page);
  await expect(dialog.getByLabel("Priority")).toHaveValue("3");
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(cells(two)).toContainText("High");
  await comeBack(page);
  await expect(cells(two)).toContainText("Medium");
});

test("whatever an address sorts by is said in words", async ({ browserOf }) => {
  const page = await browserOf("gita@example.in");
  for (const [sort, words] of [
    ["created_at.asc", "Submission Date, ascending"],
    ["assigned_at.desc", "Date Assigned, descending"],
    ["due.desc", "Due Date, descending"],
    ["created_at", "Days Assigned, descending"],
    ["nothing.asc", "Days Assigned, descending"],
  ]) {
    await page.goto(`/admin/reviews/assigned?sort=${sort}`);
    await expect(page.getByLabel("Sort by").locator("option:checked")).toHaveText(words!);
  }
});

test("a list that is filtered leaves the focus where it has gone meanwhile", async ({
  browserOf,
}) => {
  const page = await browserOf("gita@example.in");
  await page.goto("/admin/reviews/assigned");
  const letGo = await holdBack(page, /\/assigned\.data/);
  await page.getByLabel("Service type").selectOption("Resume Review");
  const reviewers = page.locator(".list-filters").getByLabel("Reviewer");
  await reviewers.focus();
  letGo();
  await expect(page).toHaveURL(/type=resume_review/);
  await expect(reviewers).toBeFocused();
});

for (const [list, title] of [
  ["", "Set Priority"],
  ["/assigned", "Set Priority"],
  ["/completed", "Edit Review"],
] as const) {
  test(`a dialog of /admin/reviews${list} lies over the list again after a reload`, async ({
    browserOf,
    product,
  }) => {
    const { customer, nila } = await ownPeople(product);
    const make = { "": pendingReview, "/assigned": assignedReview, "/completed": completedReview };
    const id = await make[list](product.db, customer, nila);
    await handBack(product.db, id);
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

test("of two admins who edit one image the second learns of the first, and keeps what was typed", async ({
  browserOf,
  product,
}) => {
  const { customer, nila } = await ownPeople(product);
  const id = await completedReview(product.db, customer, nila);
  const { imageId } = await handBack(product.db, id);
  const page = await browserOf("gita@example.in");
  await page.goto(`/admin/reviews/completed?edit=${id}`);
  const dialog = page.getByRole("dialog", { name: "Edit Review" });
  await dialog.locator("summary", { hasText: "Edit Image 1" }).click();
  const form = dialog.locator(".edit-images .image-form");
  await form.getByLabel("Annotation (optional)").fill("Begin here");
  const annotation = "The other admin's words";
  const ofImage = eq(reviewImages.id, imageId);
  await product.db.update(reviewImages).set({ annotation }).where(ofImage);
  for (const _press of ["first", "second"]) {
    await form.getByRole("button", { name: "Save" }).click();
    await expect(form.getByText(/^Somebody else has changed this image/)).toBeVisible();
    await expect(form.getByLabel("Annotation (optional)")).toHaveValue("Begin here");
    await expect(dialog.locator("figcaption")).toHaveText(annotation);
  }
  expect(await product.db.select().from(reviewImages).where(ofImage)).toMatchObject([
    { annotation },
  ]);
  // Given up, the form shows what there is now, and can be sent again.
  await form.getByLabel("Annotation (optional)").fill(annotation);
  await form.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Image updated successfully")).toBeVisible();
  await dialog.locator("summary", { hasText: "Edit Image 1" }).click();
  await form.getByLabel("Annotation (optional)").fill("Begin here");
  await form.getByRole("button", { name: "Save" }).click();
  await expect(dialog.locator("figcaption")).toHaveText("Begin here");
});

test("an address whose review is not in the list any more says so", async ({
  browserOf,
  product,
}) => {
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

test("a completed review is edited: its words, its images, and its files are there to read", async ({
  browserOf,
  product,
}) => {
  const { customer, nila } = await ownPeople(product);
  const id = await completedReview(product.db, customer, nila);
  await handBack(product.db, id);
  await handBack(product.db, id);
  const page = await browserOf("gita@example.in");
  await page.goto("/admin/reviews/completed");
  await page.getByRole("link", { name: `Edit review ${id}` }).click();
  const dialog = page.getByRole("dialog", { name: "Edit Review" });
  await expect(dialog.getByRole("tab", { name: "File 1" })).toHaveAttribute(
    "aria-selected",
    "true",
  );
  await dialog.getByRole("tab", { name: "File 2" }).click();
  await expect(dialog.getByRole("tabpanel", { name: "File 2" })).toContainText("notes.pdf");

  await dialog.getByRole("button", { name: "Add image" }).click();
  const add = dialog.locator(".add-image");
  await expect(add.getByText("Image URL is required")).toBeVisible();
  await add.getByLabel("Image URL").fill(`${product.origin}/og.png`);
  await add.getByLabel("Annotation (optional)").fill("  Added later  ");
  const letGo = await holdBack(page, /\/completed\.data/, "POST");
  await dialog.getByRole("button", { name: "Add image" }).click();
  // What were typed now would be gone with the form.
  await expect(add.getByLabel("Image URL")).not.toBeEditable();
  letGo();
  await expect(page.getByText("Image added successfully")).toBeVisible();
  await expect(dialog.getByText("Added later", { exact: true }).first()).toBeVisible();

  await dialog.locator("summary", { hasText: "Delete Image 1" }).click();
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
