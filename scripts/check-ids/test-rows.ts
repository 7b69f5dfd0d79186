import { type ArrayExpression, type CallExpression, type Expression, type Program, Visitor } from 'oxc-parser';

/** Arrays of a file by variable name. */
export type NamedTables = ReadonlyMap<string, ArrayExpression>;

interface RowName {
  readonly name: string;
  readonly start: number;
}

export function readNamedTables(program: Program): NamedTables {
  const tables = new Map<string, ArrayExpression>();
  new Visitor({
    VariableDeclarator: ({ id, init }) => {
      const table = init && bare(init);
      if (id.type === 'Identifier' && table?.type === 'ArrayExpression') tables.set(id.name, table);
    },
  }).visit(program);
  return tables;
}

/** First texts of the rows of `test.each(rows)(…)` or `test.for(rows)(…)`. */
export function rowNames({ callee }: CallExpression, tables: NamedTables): RowName[] {
  const [argument] = callee.type === 'CallExpression' ? callee.arguments : [];
  if (argument === undefined || argument.type === 'SpreadElement') return [];
  const given = bare(argument);
  const table = given.type === 'Identifier' ? tables.get(given.name) : given;
  if (table?.type !== 'ArrayExpression') return [];
  return table.elements.flatMap((row) => {
    if (row === null || row.type === 'SpreadElement') return [];
    const first = row.type === 'ArrayExpression' ? row.elements[0] : row;
    return first?.type === 'Literal' && typeof first.value === 'string'
      ? [{ name: first.value, start: first.start }]
      : [];
  });
}

/** Without `as const`, `satisfies` and parentheses. */
function bare(expression: Expression): Expression {
  const isWrapped =
    expression.type === 'TSAsExpression' ||
    expression.type === 'TSSatisfiesExpression' ||
    expression.type === 'ParenthesizedExpression';
  return isWrapped ? bare(expression.expression) : expression;
}
