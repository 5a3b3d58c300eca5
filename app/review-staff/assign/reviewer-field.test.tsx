import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { ReviewerField } from "./reviewer-field.tsx";

const assignees = [
  { name: "Kabir", knows: ["Motion design", "Tamil"] },
  { name: "Meera", knows: [] },
  { name: "Omar", knows: ["Tamil", "Urdu"] },
].map((one) => ({
  ...one,
  id: one.name,
  openAssignments: { counted: 1, isMore: false },
  availability: "",
}));

const wishes = (...list: string[]) => ({ earlierReviewerId: null as string | null, wishes: list });

test("without a selection, the reviewers are in the order of the list, with all matches", () => {
  expect(optionsFor([])).toEqual([
    "Kabir (1) · Motion design · Tamil",
    "Meera (1)",
    "Omar (1) · Tamil · Urdu",
  ]);
});

test("those who match more wishes of the selection are first, with what matches", () => {
  expect(optionsFor([wishes("Urdu")])).toEqual(["Omar (1) · Urdu", "Kabir (1)", "Meera (1)"]);
  expect(optionsFor([wishes("Tamil"), wishes("Motion design", "Urdu")])).toEqual([
    "Kabir (1) · Motion design · Tamil",
    "Omar (1) · Tamil · Urdu",
    "Meera (1)",
  ]);
});

test("the reviewer of the earlier review is before those who match wishes", () => {
  expect(optionsFor([{ ...wishes("Tamil"), earlierReviewerId: "Meera" }])).toEqual([
    "Meera (1) · reviewed it before",
    "Kabir (1) · Tamil",
    "Omar (1) · Tamil",
  ]);
});

function optionsFor(reviews: ReturnType<typeof wishes>[]): string[] {
  const html = renderToStaticMarkup(<ReviewerField assignees={assignees} reviews={reviews} />);
  const options = [...html.matchAll(/<option[^>]*>([^<]*)<\/option>/g)].map(([, label]) => label!);
  return options.slice(1);
}
