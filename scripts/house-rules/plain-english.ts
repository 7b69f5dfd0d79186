import { type Argument, type PropertyKey, Visitor } from 'oxc-parser';
import { allowedWording } from './allowed-wording.ts';
import type { ParsedFile } from './parsed-file.ts';

/** Wording that docs/style.md replaces. Only phrases that are rarely correct in plain English are listed. */
const telltale =
  /\b(?:whoever|nobody|somebody|anybody|everybody|whosoever|anew|thereof|whilst|in words|in place of|of (?:its|his|their|one's) own|by itself says|that which|so many|so often|under way|(?:is|are|was|were|be) told|tells? (?:nobody|everybody)|what cannot be|what is asked|put into (?:other )?words|goes? on from|comes? to its end|broken? off|breaks? off|at rest|dearest|thrown away|by and by)\b/i;

/** Comments, test titles and translated strings with wording from the list. */
export function findOddWording(file: ParsedFile): number[] {
  // In most files, so that their syntax is not read. Quotes may be escaped.
  if (!telltale.test(file.text.replaceAll('\\', ''))) return [];
  const { path, program, comments } = file;
  const allowed = allowedWording[path] ?? [];
  const isOdd = (text: string) => telltale.test(text) && !allowed.some((part) => text.includes(part));
  const offsets = comments.filter(({ value }) => isOdd(value)).map(({ start, value }) => start + oddLine(value));
  new Visitor({
    CallExpression: ({ callee, arguments: [title] }) => {
      if (title && /^(?:it|test|describe|bench)$/.test(rootName(callee)) && isOdd(textOf(title)))
        offsets.push(title.start);
    },
    Property: ({ key }) => {
      if (path.startsWith('packages/console/src/i18n/') && isOdd(keyText(key))) offsets.push(key.start);
    },
  }).visit(program);
  return offsets;
}

/** Offset of the match in a comment, so that the right line of a long comment is reported. */
const oddLine = (comment: string): number => Math.max(0, comment.search(telltale));

/** Text of a key: quoted, or a single word without quotes. */
const keyText = (key: PropertyKey): string => {
  if (key.type === 'Identifier') return key.name;
  return key.type === 'Literal' ? String(key.value) : '';
};

const textOf = (node: Argument): string => {
  if (node.type === 'Literal') return String(node.value);
  return node.type === 'TemplateLiteral' ? node.quasis.map(({ value }) => value.raw).join(' ') : '';
};

function rootName(callee: object): string {
  if ('name' in callee && typeof callee.name === 'string') return callee.name;
  if ('object' in callee) return rootName(callee.object as object);
  if ('callee' in callee) return rootName(callee.callee as object);
  return 'tag' in callee ? rootName(callee.tag as object) : '';
}
