import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type ArrayExpression,
  type CallExpression,
  type Expression,
  type Node,
  type Program,
  parseSync,
  Visitor,
} from 'oxc-parser';
import { listFiles } from '../source-files.ts';

export interface TestTitle {
  readonly title: string;
  readonly file: string;
  readonly line: number;
}

const testFiles = /\.(test\.tsx?|e2e\.ts)$/;
const testFunctions = new Set(['test', 'it', 'describe', 'suite']);
const idle = new Set(['skip', 'todo', 'fixme', 'fails', 'fail']);

/** Parsing is slow, and most files contain no ids. */
const someId = /\[[SA]\d/;

/** Titles of all active tests and groups in files that name an id; skip, todo and fixme are excluded. */
export function readTestTitles(root: string): TestTitle[] {
  return ['packages', 'scripts']
    .flatMap((folder) => listFiles(root, folder, testFiles))
    .flatMap((file) => titlesOf(root, file));
}

function titlesOf(root: string, file: string): TestTitle[] {
  const text = readFileSync(join(root, file), 'utf8');
  if (!someId.test(text)) return [];
  const { program } = parseSync(file, text);
  const tables = readNamedTables(program);
  const titles: TestTitle[] = [];
  let idleDepth = 0;
  new Visitor({
    CallExpression: (call) => {
      if (isIdle(call)) idleDepth += 1;
      if (idleDepth > 0) return;
      for (const { title, start } of titlesOfCall(call, tables))
        titles.push({ title, file, line: text.slice(0, start).split('\n').length });
    },
    'CallExpression:exit': (call) => {
      if (isIdle(call)) idleDepth -= 1;
    },
  }).visit(program);
  return titles;
}

function isIdle(call: CallExpression): boolean {
  const words = chain(call.callee);
  return testFunctions.has(words[0] ?? '') && words.some((word) => idle.has(word));
}

/** One title, or one per row of a table whose rows start with a name: `test.each(rows)('of %s', …)`. */
function titlesOfCall(call: CallExpression, tables: NamedTables): { title: string; start: number }[] {
  const title = titleOf(call);
  if (title === undefined) return [];
  const [firstPlace] = /%\w/.exec(title) ?? [];
  const names = firstPlace === '%s' ? rowNames(call, tables) : [];
  if (names.length === 0) return [{ title, start: call.start }];
  return names.map(({ name, start }) => ({ title: title.replace('%s', () => name), start }));
}

function titleOf(call: CallExpression): string | undefined {
  const [title] = call.arguments;
  if (title === undefined || !testFunctions.has(chain(call.callee)[0] ?? '')) return undefined;
  if (title.type === 'Literal' && typeof title.value === 'string') return title.value;
  return title.type === 'TemplateLiteral' ? title.quasis.map(({ value }) => value.raw).join('…') : undefined;
}

/** Names in `test.describe.skip` or `test.each(rows)`, in order. */
function chain(callee: Expression | Node): string[] {
  if (callee.type === 'Identifier') return [callee.name];
  if (callee.type === 'CallExpression') return chain(callee.callee);
  if (callee.type === 'TaggedTemplateExpression') return chain(callee.tag);
  if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return [];
  return [...chain(callee.object), callee.property.name];
}

/** Arrays of a file by variable name. */
type NamedTables = ReadonlyMap<string, ArrayExpression>;

interface RowName {
  readonly name: string;
  readonly start: number;
}

function readNamedTables(program: Program): NamedTables {
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
function rowNames({ callee }: CallExpression, tables: NamedTables): RowName[] {
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

/** Strips `as const`, `satisfies` and parentheses. */
function bare(expression: Expression): Expression {
  const isWrapped =
    expression.type === 'TSAsExpression' ||
    expression.type === 'TSSatisfiesExpression' ||
    expression.type === 'ParenthesizedExpression';
  return isWrapped ? bare(expression.expression) : expression;
}
