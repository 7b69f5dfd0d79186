import { type Node, type Program, Visitor } from 'oxc-parser';
import { lastName } from './expressions.ts';

/** Variable names used for external JSON. */
const foreignNames: ReadonlySet<string> = new Set([
  'body',
  'event',
  'given',
  'item',
  'json',
  'message',
  'parsed',
  'part',
  'reply',
  'value',
]);

/** Types of values with arbitrary fields. */
const foreignTypes: ReadonlySet<string> = new Set(['JsonObject', 'Record']);

/** Functions that read a field of JSON by name. */
const readers: ReadonlySet<string> = new Set([
  'booleanOf',
  'get',
  'hasOwn',
  'listAt',
  'numberAt',
  'objectAt',
  'set',
  'textAt',
  'wholeNumberIn',
]);

/**
 * Reads of external JSON by one of these names: `body['tools']`, `'tools' in body`, `textAt(body, 'tools')`, `const {
 * tools } = body`, `({ tools }: JsonObject) => …`, `value as { tools?: unknown }`, `{ ...body, tools: [] }`. Dot
 * access is not checked, because the compiler requires brackets for index signatures.
 */
export function findExternalJsonReads(program: Program, isWord: (name: string) => boolean): number[] {
  const offsets: number[] = [];
  const lookAt = (node: Node | null | undefined) => {
    const name = node ? keyName(node) : undefined;
    if (node && name !== undefined && isWord(name)) offsets.push(node.start);
  };
  const lookIn = (pattern: Node) => {
    if (pattern.type === 'ObjectPattern')
      for (const property of pattern.properties) if (property.type === 'Property') lookAt(property.key);
  };
  new Visitor({
    MemberExpression: ({ computed, property }) => {
      if (computed && isText(property)) lookAt(property);
    },
    BinaryExpression: ({ operator, left }) => {
      if (operator === 'in' && isText(left)) lookAt(left);
    },
    CallExpression: ({ callee, arguments: given }) => {
      if (readers.has(lastName(callee) ?? '')) for (const argument of given) if (isText(argument)) lookAt(argument);
    },
    VariableDeclarator: ({ id, init }) => {
      if (init && (isForeign(init) || hasForeignType(id))) lookIn(id);
    },
    ObjectPattern: (pattern) => {
      if (hasForeignType(pattern)) lookIn(pattern);
      for (const property of pattern.properties)
        if (property.type === 'Property' && foreignNames.has(keyName(property.key) ?? '')) lookIn(property.value);
    },
    ObjectExpression: ({ properties }) => {
      if (!properties.some((property) => property.type === 'SpreadElement' && isForeign(property.argument))) return;
      for (const property of properties) if (property.type === 'Property') lookAt(property.key);
    },
    TSAsExpression: ({ typeAnnotation }) => membersOf(typeAnnotation).forEach(lookAt),
    TSTypePredicate: ({ typeAnnotation }) => {
      if (typeAnnotation) membersOf(typeAnnotation.typeAnnotation).forEach(lookAt);
    },
  }).visit(program);
  return offsets;
}

const isText = (node: Node): boolean => node.type === 'Literal' && typeof node.value === 'string';

function keyName(node: Node): string | undefined {
  if (node.type === 'Identifier') return node.name;
  return node.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined;
}

/** True if an expression is external JSON, by its name or its type. */
function isForeign(node: Node): boolean {
  if (node.type === 'TSAsExpression') {
    const { typeAnnotation, expression } = node;
    return typeAnnotation.type === 'TSTypeLiteral' || isForeignType(typeAnnotation) || isForeign(expression);
  }
  if (node.type === 'ParenthesizedExpression') return isForeign(node.expression);
  if (node.type === 'LogicalExpression') return isForeign(node.left) || isForeign(node.right);
  if (node.type === 'ConditionalExpression') return isForeign(node.consequent) || isForeign(node.alternate);
  return foreignNames.has(lastName(node) ?? '');
}

const isForeignType = (type: Node): boolean =>
  type.type === 'TSTypeReference' && type.typeName.type === 'Identifier' && foreignTypes.has(type.typeName.name);

const hasForeignType = (pattern: Node): boolean =>
  pattern.type === 'ObjectPattern' && !!pattern.typeAnnotation && isForeignType(pattern.typeAnnotation.typeAnnotation);

/** Keys of the fields that a type names, including nested types. */
function membersOf(type: Node): Node[] {
  if (type.type === 'TSUnionType') return type.types.flatMap(membersOf);
  if (type.type !== 'TSTypeLiteral') return [];
  return type.members.flatMap((member) =>
    member.type === 'TSPropertySignature'
      ? [member.key, ...(member.typeAnnotation ? membersOf(member.typeAnnotation.typeAnnotation) : [])]
      : [],
  );
}
