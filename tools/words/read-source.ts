import { type ESTree, parseSync, Visitor } from "vite";

/**
 * Lists the names of functions and components at the top level of a file.
 *
 * @param path its extension determines the language
 */
export function findNames(path: string, text: string): string[] {
  return parseSync(path, text).program.body.flatMap((statement) => {
    const declared =
      statement.type === "ExportNamedDeclaration" || statement.type === "ExportDefaultDeclaration"
        ? statement.declaration
        : statement;
    if (declared?.type === "FunctionDeclaration") return declared.id?.name ?? [];
    if (declared?.type !== "VariableDeclaration") return [];
    return declared.declarations.flatMap(({ id, init }) =>
      id.type === "Identifier" && init?.type === "ArrowFunctionExpression" ? id.name : [],
    );
  });
}

/** Lists the first lines of comments, without comment markers. Consecutive line comments count as one. */
export function findComments(path: string, text: string): string[] {
  const { comments } = parseSync(path, text);
  return comments
    .filter(({ type, start }, index) => {
      const before = comments[index - 1];
      const isNext = before && /^\n[ \t]*$/.test(text.slice(before.end, start));
      return type === "Block" || before?.type !== "Line" || !isNext;
    })
    .map(({ value }) => value.replace(/^[*\s]+/, "").split("\n")[0]!)
    .filter((line) => /^[A-Z]/.test(line));
}

/** Lists the same lines of SQL, CSS, configurations, shell and Python scripts. */
export function findPlainComments(text: string): string[] {
  return [...text.matchAll(/\/\*.+?\*\/|"""\w.+?"""|(?:^[ \t]*(?:#|--|\/\/) [^\n]*\n?)+/gms)]
    .map(([comment]) => /\w.*?(?= *\*\/|"""|$)/m.exec(comment)?.[0] ?? "")
    .filter((line) => /^[A-Z]/.test(line));
}

/** Lists comparisons of an error's message with a text. Such errors should have a code. */
export function findSentenceComparisons(path: string, text: string): string[] {
  const comparisons: string[] = [];
  const visitor = new Visitor({
    BinaryExpression(node) {
      if (!["===", "!==", "==", "!="].includes(node.operator)) return;
      const sides = [node.left, node.right];
      if (sides.some((side) => isSentence(side)) || isMessageComparison(sides))
        comparisons.push(text.slice(node.start, node.end));
    },
  });
  visitor.visit(parseSync(path, text).program);
  return comparisons;
}

/** Lists the names of variables, parameters and fields, also of those taken out of an object or a list. */
export function findDeclaredNames(path: string, text: string): string[] {
  const names: string[] = [];
  const add = (node: Pattern) => names.push(...listBoundNames(node));
  const addParameters = ({ params }: { params: Pattern[] }) => params.forEach(add);
  const visitor = new Visitor({
    VariableDeclarator: ({ id }) => add(id),
    FunctionDeclaration: addParameters,
    FunctionExpression: addParameters,
    ArrowFunctionExpression: addParameters,
    TSPropertySignature: ({ key }) => add(key),
  });
  visitor.visit(parseSync(path, text).program);
  return names;
}

type Pattern = ESTree.BindingPattern | ESTree.ParamPattern | ESTree.PropertyKey | null;

function listBoundNames(node: Pattern): string[] {
  if (node?.type === "Identifier") return [node.name];
  if (node?.type === "AssignmentPattern") return listBoundNames(node.left);
  if (node?.type === "RestElement") return listBoundNames(node.argument);
  if (node?.type === "ArrayPattern") return node.elements.flatMap(listBoundNames);
  if (node?.type !== "ObjectPattern") return [];
  return node.properties.flatMap((part) =>
    listBoundNames(part.type === "Property" ? part.value : part),
  );
}

type Side = ESTree.BinaryExpression["left"];

/** Checks for a literal such as `"Review not found"`, or a member such as `messages.changed`. */
function isSentence(side: Side): boolean {
  if (side.type === "Literal") return /^[A-Z][a-z]+ .{3,}/.test(String(side.value));
  return (
    side.type === "MemberExpression" && /messages$|copy$|texts?$/i.test(getNodeName(side.object))
  );
}

/** Checks for `error.message === expected`. Checking that a message exists is allowed. */
function isMessageComparison(sides: Side[]): boolean {
  const isNothing = (side: Side) =>
    (side.type === "Literal" && !side.value) || getNodeName(side) === "undefined";
  return sides.some((side) => getNodeName(side) === "message") && !sides.some(isNothing);
}

function getNodeName(side: Side): string {
  if (side.type === "Identifier") return side.name;
  if (side.type === "MemberExpression" && side.property.type === "Identifier")
    return side.property.name;
  return "";
}
