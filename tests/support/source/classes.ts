import { readFileSync } from "node:fs";
import { parseSync } from "vite";

/**
 * Lists the classes that a component writes into attributes named `className` or `…ClassName`, without those
 * that it puts together from variables.
 *
 * @param file path of a .tsx file, from the root
 */
export function classesOf(file: string): string[] {
  const { program, errors } = parseSync(file, readFileSync(file, "utf8"));
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]!.message}`);
  return nodesIn(program)
    .filter(({ type, name }) => type === "JSXAttribute" && /className$/i.test(name.name))
    .flatMap(({ value }) => textsIn(value))
    .flatMap((text) => text.split(/\s+/).filter(Boolean));
}

/** Lists the classes for which stylesheets have a rule. */
export function classesStyledBy(css: string): Set<string> {
  return new Set(
    [...css.matchAll(/\.((?:\\.|[\w-])+)/g)].map(([, name]) => name!.replaceAll("\\", "")),
  );
}

// oxlint-disable-next-line typescript/no-explicit-any -- the kinds of nodes are many, and only a few matter here
type Node = any;

/** The node and all nodes below it, without the operands of comparisons. */
function nodesIn(node: Node): Node[] {
  if (Array.isArray(node)) return node.flatMap(nodesIn);
  if (!node || typeof node !== "object") return [];
  if (node.type === "BinaryExpression") return [];
  return [node, ...Object.values(node).flatMap(nodesIn)];
}

function textsIn(value: Node): string[] {
  return nodesIn(value).flatMap(({ type, value, quasis }) => {
    if (type === "Literal" && typeof value === "string") return [value];
    if (type !== "TemplateLiteral") return [];
    const parts: string[] = quasis.map((quasi: Node) => quasi.value.cooked);
    // A word that touches a variable is only a part of a class.
    return parts.map((text, index) => {
      const start = index > 0 ? text.replace(/^\S+/, "") : text;
      return index < parts.length - 1 ? start.replace(/\S+$/, "") : start;
    });
  });
}
