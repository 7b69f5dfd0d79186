import { type Node, Visitor, type VisitorObject } from 'oxc-parser';
import { declaredNames } from './declared-names.ts';
import { findDialectFields, isRelaySource } from './dialect-fields.ts';
import { isNumber, lastName, propertyName, unwrap } from './expressions.ts';
import { isTest, isToolConfig, ownsSockets, socketRule } from './file-kinds.ts';
import { serverAreas } from './import-rules.ts';
import { slowReason } from './linear-pattern.ts';
import type { ParsedFile } from './parsed-file.ts';
import { findOddWording } from './plain-english.ts';
import { findPlainLinks } from './plain-links.ts';

/** Forbids something in the text of files. */
export interface SyntaxRule {
  readonly name: string;
  readonly message: string;
  readonly looksAt: (path: string) => boolean;
  /** Matches the text of every file with a violation. Reading the syntax of the other files takes most of the time. */
  readonly mentions?: RegExp;
  /** Offsets of violations. */
  readonly find: (file: ParsedFile) => number[];
}

const isInPackages = (path: string) => path.startsWith('packages/');

const inArea = new RegExp(`^packages/server/src/((main|config)\\.ts$|(${serverAreas.join('|')})/)`);

/** Packages that run in the server process; the others parse JSON on their user's machine. */
const isServerSide = (path: string) =>
  /^packages\/(contract|dialects|providers|relay|importer|server)\/src\//.test(path);

export const syntaxRules: readonly SyntaxRule[] = [
  {
    ...socketRule,
    looksAt: (path) => isInPackages(path) && !ownsSockets(path),
    mentions: /\b(?:fetch|WebSocket|EventSource|XMLHttpRequest)\b/,
    find: findGlobalSockets,
  },
  {
    name: 'server-files-lie-in-areas',
    message: `Server sources must be main.ts, config.ts, or in an area: ${serverAreas.join(', ')}.`,
    looksAt: (path) => path.startsWith('packages/server/src/') && !isTest(path) && !inArea.test(path),
    find: () => [0],
  },
  {
    name: 'environment-only-in-config',
    message: 'Only server/src/config.ts may read process.env.',
    looksAt: (path) =>
      isInPackages(path) && !isTest(path) && !isToolConfig(path) && path !== 'packages/server/src/config.ts',
    mentions: /\benv\b/,
    find: findEnvironment,
  },
  {
    name: 'no-console',
    message: 'Only console/src/lib/api/log-failure.ts may write to console.*.',
    looksAt: (path) => isInPackages(path) && path !== 'packages/console/src/lib/api/log-failure.ts',
    mentions: /\bconsole\b/,
    find: (file) =>
      collect(file, (add) => ({
        MemberExpression: (node) => {
          if (isGlobal(file, node.object, 'console')) add(node);
        },
      })),
  },
  {
    name: 'providers-have-no-clock-and-no-dice',
    message: 'dialects and providers are pure: pass time and randomness to them.',
    looksAt: (path) => /^packages\/(dialects|providers)\/src\//.test(path) && !isTest(path),
    mentions: /\b(?:Date|now|random|hrtime)\b/,
    find: findClocksAndDice,
  },
  {
    name: 'channel-type-is-not-compared',
    message: "Outside providers, look a channel's type up in a table instead of comparing it with a number.",
    looksAt: (path) => isInPackages(path) && !path.startsWith('packages/providers/'),
    mentions: /[.'"`]type\b/,
    find: findTypeComparisons,
  },
  {
    name: 'relay-knows-no-dialect',
    message:
      'The relay must not name wire fields of a dialect: call the dialect or use a neutral name. See dialect-fields.ts.',
    looksAt: isRelaySource,
    find: findDialectFields,
  },
  {
    name: 'patterns-take-linear-time',
    message: 'Regular expressions must be literals that take linear time: see linear-pattern.ts.',
    looksAt: (path) => isInPackages(path) && !isTest(path) && !isToolConfig(path),
    // A slash after white space or an operator, except a comment.
    mentions: /RegExp|(?:^|[\s([{}=,:;!&|?<>~+*%-])\/(?![/*])/m,
    find: findSlowPatterns,
  },
  {
    name: 'json-from-outside-is-bounded',
    message:
      'Parse JSON with dialects/src/parse-json.ts, which bounds its structure; trusted JSON needs a comment "trusted JSON: <reason>" right before.',
    looksAt: (path) => isServerSide(path) && !isTest(path) && path !== 'packages/dialects/src/json-fields.ts',
    mentions: /json/i,
    find: findUnboundedJson,
  },
  {
    name: 'console-links-use-the-router',
    message: 'Link to pages of the console with Link of the router: a plain anchor reloads the console.',
    looksAt: (path) => /^packages\/console\/src\/.*\.tsx$/.test(path) && !isTest(path),
    find: findPlainLinks,
  },
  {
    name: 'no-default-exports',
    message: 'Use named exports; default exports are for tool configurations only.',
    looksAt: (path) => !isToolConfig(path),
    find: ({ module }) =>
      module.staticExports.flatMap(({ entries }) =>
        entries
          .filter(({ exportName: { kind, name } }) => kind === 'Default' || name === 'default')
          .map(({ start }) => start),
      ),
  },
  {
    name: 'plain-english',
    message:
      'Comments, test titles and strings use plain English: see docs/style.md. Exceptions go into allowed-wording.ts.',
    looksAt: () => true,
    find: findOddWording,
  },
];

type Add = (node: Node) => void;

function collect({ program }: ParsedFile, visitor: (add: Add) => VisitorObject): number[] {
  const offsets: number[] = [];
  new Visitor(visitor((node) => offsets.push(node.start))).visit(program);
  return offsets;
}

function isGlobal({ program }: ParsedFile, expression: Node, ...names: string[]): boolean {
  const inner = unwrap(expression);
  const name = lastName(inner);
  if (name === undefined || !names.includes(name)) return false;
  if (inner.type === 'Identifier') return !declaredNames(program).has(name);
  const owner = inner.type === 'MemberExpression' ? lastName(inner.object) : undefined;
  return owner === 'globalThis' || owner === 'window';
}

function findGlobalSockets(file: ParsedFile): number[] {
  return collect(file, (add) => ({
    CallExpression: (node) => {
      if (isGlobal(file, node.callee, 'fetch')) add(node);
    },
    NewExpression: (node) => {
      if (isGlobal(file, node.callee, 'WebSocket', 'EventSource', 'XMLHttpRequest')) add(node);
    },
  }));
}

function findEnvironment(file: ParsedFile): number[] {
  return collect(file, (add) => ({
    MemberExpression: (node) => {
      if (lastName(node.object) === 'process' && propertyName(node) === 'env') add(node);
    },
    VariableDeclarator: ({ id, init }) => {
      if (init === null || id.type !== 'ObjectPattern' || lastName(init) !== 'process') return;
      if (id.properties.some((property) => property.type === 'Property' && lastName(property.key) === 'env')) add(id);
    },
    ImportSpecifier: (node) => {
      if (lastName(node.imported) === 'env' && importsProcess(file)) add(node);
    },
  }));
}

function importsProcess({ imports }: ParsedFile): boolean {
  return imports.some(({ specifier, names }) => /^(node:)?process$/.test(specifier) && names.includes('env'));
}

function findClocksAndDice(file: ParsedFile): number[] {
  const forbiddenCalls = new Set(['Date.now', 'performance.now', 'Math.random', 'process.hrtime']);
  return collect(file, (add) => ({
    MemberExpression: (node) => {
      if (forbiddenCalls.has(`${lastName(node.object)}.${propertyName(node)}`)) add(node);
    },
    NewExpression: (node) => {
      if (lastName(node.callee) === 'Date' && node.arguments.length === 0) add(node);
    },
    CallExpression: (node) => {
      if (node.callee.type === 'Identifier' && node.callee.name === 'Date') add(node);
    },
  }));
}

function findTypeComparisons(file: ParsedFile): number[] {
  const comparisons = new Set(['===', '!==', '==', '!=', '<', '>', '<=', '>=']);
  return collect(file, (add) => ({
    BinaryExpression: (node) => {
      const { left, right } = node;
      if (!comparisons.has(node.operator)) return;
      if ((isChannelType(left) && isNumber(right)) || (isChannelType(right) && isNumber(left))) add(node);
    },
    SwitchStatement: (node) => {
      if (isChannelType(node.discriminant) && node.cases.some(({ test }) => test !== null && isNumber(test))) add(node);
    },
    CallExpression: (node) => {
      const { callee, arguments: given } = node;
      if (lastName(callee) !== 'includes' || callee.type !== 'MemberExpression') return;
      const list = unwrap(callee.object);
      const listsNumbers =
        list.type === 'ArrayExpression' && list.elements.some((item) => item !== null && isNumber(item));
      if (listsNumbers && given[0] !== undefined && isChannelType(given[0])) add(node);
    },
  }));
}

/**
 * `JSON.parse` under any name, and `response.json()`, unless a comment on the same or the previous line gives the
 * reason why it is safe.
 */
function findUnboundedJson(file: ParsedFile): number[] {
  const trusted = new Set(
    file.comments.filter(({ value }) => /^\s*trusted JSON: \S/.test(value)).map(({ end }) => file.lineAt(end)),
  );
  const isTrusted = (offset: number) => trusted.has(file.lineAt(offset)) || trusted.has(file.lineAt(offset) - 1);
  return collect(file, (add) => ({
    MemberExpression: (node) => {
      if (isGlobal(file, node.object, 'JSON') && propertyName(node) !== 'stringify') add(node);
    },
    VariableDeclarator: ({ id, init }) => {
      if (init !== null && isGlobal(file, init, 'JSON')) add(id);
    },
    CallExpression: (node) => {
      const { callee, arguments: given } = node;
      if (callee.type === 'MemberExpression' && propertyName(callee) === 'json' && given.length === 0) add(node);
    },
  })).filter((offset) => !isTrusted(offset));
}

/** A pattern built at run time cannot be checked. */
function findSlowPatterns(file: ParsedFile): number[] {
  return collect(file, (add) => ({
    Literal: (node) => {
      if ('regex' in node && slowReason(node.regex.pattern, node.regex.flags) !== undefined) add(node);
    },
    NewExpression: (node) => {
      if (isGlobal(file, node.callee, 'RegExp')) add(node);
    },
    CallExpression: (node) => {
      if (isGlobal(file, node.callee, 'RegExp')) add(node);
    },
  }));
}

function isChannelType(expression: Node): boolean {
  const inner = unwrap(expression);
  if (inner.type !== 'MemberExpression' || propertyName(inner) !== 'type') return false;
  return /channel/i.test(lastName(inner.object) ?? '');
}
