import { expect, test } from "vitest";
import { person } from "../../../tests/support/rows/people.ts";
import { testPeople } from "../../../tests/support/rows/test-people.ts";
import {
  hideReviewer,
  saveIntroduction,
} from "../../reviews/reviewer-profile/introductions.server.ts";
import { getPerson, toPersonView } from "./read-person.server.ts";

const { db, asha, meera, gita } = await testPeople();
const asMeera = { firstName: "Meera", field: "product design", about: "Payments and health." };

const shown = async ({ id }: { id: string }) =>
  toPersonView(await getPerson(db, gita, id), gita.id).account.introduction;

test("admins see whether the services page introduces a reviewer", async () => {
  expect(await shown(asha)).toBeNull();
  expect(await shown(meera)).toBeNull();
  await saveIntroduction(db, meera, { ...asMeera, isPublic: false });
  expect(await shown(meera)).toBe("No");
  await saveIntroduction(db, meera, { ...asMeera, isPublic: true });
  expect(await shown(meera)).toBe("Yes");
  await hideReviewer(db, gita, { reviewerId: meera.id, hide: true });
  expect(await shown(meera)).toBe("No, although they agreed");
  await saveIntroduction(db, meera, { firstName: "", field: "", about: "" });
  expect(await shown(meera)).toBeNull();
});

test("a reviewer who agreed after six others is not shown as introduced", async () => {
  for (const name of ["Uma", "Veda", "Wasim", "Xenia", "Yusuf", "Zara"]) {
    const reviewer = await person(db, `${name} Roy`, { roles: ["reviewer"] });
    await saveIntroduction(db, reviewer, { ...asMeera, firstName: name, isPublic: true });
    expect(await shown(reviewer)).toBe("Yes");
  }
  const seventh = await person(db, "Arif Roy", { roles: ["reviewer"] });
  await saveIntroduction(db, seventh, { ...asMeera, firstName: "Arif", isPublic: true });
  expect(await shown(seventh)).toBe("No, although they agreed");
});
