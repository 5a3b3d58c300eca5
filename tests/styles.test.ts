import { globSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { expect, test } from "vitest";
import { formatExport, getClassName, listLocalClasses } from "../app/ui/class-names.ts";
import { classesOf, classesStyledBy } from "./support/source/classes.ts";

const modules = globSync("app/**/*.module.css").map((file) => {
  const css = readFileSync(file, "utf8");
  return { file, css, classes: [...listLocalClasses(css)] };
});
const scripts = globSync("app/**/*.{ts,tsx}")
  .filter((file) => !/\.test\.tsx?$/.test(file))
  .map((file) => ({ file, text: readFileSync(file, "utf8") }));

/** The classes that scripts take from modules: `styles.name` after `import * as styles`. */
const used = scripts.flatMap(({ file, text }) => {
  const imports = [...text.matchAll(/^import \* as (\w+) from "(\.[^"]+\.module\.css)";$/gm)];
  return imports.flatMap(([, alias, path]) => {
    const names = [...text.matchAll(new RegExp(`\\b${alias}\\.(\\w+)`, "g"))];
    return names.map(([, name]) => ({ file, module: join(dirname(file), path!), name: name! }));
  });
});

test("no two modules have the same name", () => {
  const names = modules.map(({ file }) => basename(file));
  expect(names.length).toBeGreaterThan(90);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  expect(names.filter((name) => name.includes("_"))).toEqual([]);
});

test("every class that a component takes from a module has a rule there", () => {
  const exported = new Map(
    modules.map(({ file, classes }) => [file, new Set(classes.map(formatExport))]),
  );
  expect(used.length).toBeGreaterThan(1000);
  expect(used.filter(({ module, name }) => !exported.get(module)?.has(name))).toEqual([]);
});

test("every class of a module is used", () => {
  const names = new Set(used.map(({ module, name }) => `${module} ${name}`));
  const unused = modules.flatMap(({ file, classes }) =>
    classes
      .filter((name) => !names.has(`${file} ${formatExport(name)}`))
      .map((name) => [file, name]),
  );
  expect(unused).toEqual([]);
});

const shared = classesStyledBy(
  ["app/ui/layout/utilities.css", "app/site/demo-bar.css"]
    .map((file) => readFileSync(file, "utf8"))
    .join("\n"),
);

const screens = globSync("app/**/*.tsx").filter(
  // Emails carry their own styles.
  (file) => !/\.(test|server)\.tsx$|^app\/mail\/|(\/|-)emails\.tsx$/.test(file),
);
const globalClasses = screens.flatMap((file) => classesOf(file).map((name) => ({ file, name })));

test("every other class of a component is one of those that all share", () => {
  expect(globalClasses.length).toBeGreaterThan(100);
  expect(globalClasses.filter(({ name }) => !shared.has(name))).toEqual([]);
});

test("every shared class is used", () => {
  const names = new Set(globalClasses.map(({ name }) => name));
  // Numbers such as 0.5rem look like classes.
  const unused = [...shared].filter((name) => /^[a-z]/.test(name) && !names.has(name));
  expect(unused).toEqual([]);
});

test("an animation is in the module that uses it, or shared", () => {
  const keyframesIn = (css: string) =>
    [...css.matchAll(/@keyframes ([\w-]+)/g)].map(([, name]) => name!);
  const local = new Set(modules.flatMap(({ css }) => keyframesIn(css)));
  const missing = modules.flatMap(({ file, css }) => {
    const own = new Set(keyframesIn(css));
    const named = [...css.matchAll(/animation(?:-name)?:([^;]+);/g)].flatMap(
      ([, value]) => value!.match(/[a-z][\w-]*/g) ?? [],
    );
    return named.filter((name) => local.has(name) && !own.has(name)).map((name) => [file, name]);
  });
  expect(local.size).toBeGreaterThan(5);
  expect(missing).toEqual([]);
});

const owners = new Map(
  modules.flatMap(({ file, classes }) => classes.map((name) => [getClassName(file, name), file])),
);
const getCapability = (file: string) => file.split("/")[1]!;

/** A screen may also say how the frame changes around it. */
const isFrame = (file: string) =>
  /^app\/site\/(?:frame|header|menu|footer)\.module\.css$/.test(file);

/** Components of another capability that have no property for it. */
const known = [
  "app/reviews/brief/review-brief.module.css workspace_work",
  "app/review-staff/workspace/work-desk.module.css due-date",
  "app/review-staff/workspace/work-desk.module.css due-date_left",
  "app/review-staff/workspace/work-desk.module.css remarks_remarks-head",
];

test("a rule names only classes of its own capability and of the design system", () => {
  const named = modules.flatMap(({ file, css }) =>
    [...css.matchAll(/:global\(\.([^()]+)\)/g)].map(([, name]) => ({ file, name: name! })),
  );
  const others = named.filter(({ file, name }) => {
    const owner = owners.get(name);
    if (!owner) return !shared.has(name);
    return !isFrame(owner) && !["ui", getCapability(file)].includes(getCapability(owner));
  });
  const texts = others.map(({ file, name }) => `${file} ${name}`);
  expect([...new Set(texts)].toSorted()).toEqual(known.toSorted());
});

/** Without one, the rules of a screen would change those that follow, since its sheet stays. */
test("every rule names a class of its own capability, or of its own folder of the design system", () => {
  const getRoom = (file: string) =>
    getCapability(file) === "ui" ? dirname(file) : getCapability(file);
  const loose = modules.flatMap(({ file, css }) =>
    listSelectors(css)
      .filter((selector) => {
        const local = [...listLocalClasses(`${selector} {}`)];
        const named = [...selector.matchAll(/:global\(\.([^()]+)\)/g)].map(([, name]) => name!);
        const own = named.filter((name) => getRoom(owners.get(name) ?? "") === getRoom(file));
        return local.length === 0 && own.length === 0;
      })
      .map((selector) => ({ file, selector })),
  );
  expect(loose).toEqual([]);
});

/** Lists each selector of a sheet, after those of the rules around it. */
function listSelectors(css: string): string[] {
  const found: string[] = [];
  const around: string[] = [];
  for (const [, prelude, end] of css
    .replaceAll(/\/\*.*?\*\//gs, "")
    .matchAll(/(?:([^{};]+)(?=\{))?([{};])/g)) {
    if (end === "}") around.pop();
    if (end !== "{") continue;
    const text = prelude!.trim();
    const isRule = !text.startsWith("@") && !around.some((one) => one.startsWith("@keyframes"));
    if (isRule)
      found.push(...splitList(text).map((one) => [...around, one].filter(isSelector).join(" ")));
    around.push(text);
  }
  return found;
}

function isSelector(text: string): boolean {
  return !text.startsWith("@");
}

/** Splits a list of selectors at its own commas. */
function splitList(list: string): string[] {
  let depth = 0;
  const marked = list.split("").map((letter) => {
    depth += Number(letter === "(") - Number(letter === ")");
    return letter === "," && depth === 0 ? "\n\n" : letter;
  });
  return marked.join("").split("\n\n");
}
