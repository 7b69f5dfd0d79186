export interface JsonError {
  readonly line: number;
  readonly reason: string;
}

/** Position of the first JSON syntax error, with one-based lines; undefined if valid or empty. */
export function findJsonError(text: string): JsonError | undefined {
  if (text.trim() === '') return undefined;
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const line = text.slice(0, errorOffset(text)).split('\n').length;
    return { line, reason: message.replace(/, \.{3}[\s\S]*| in JSON at position.*| \(line.*| at line.*/, '') };
  }
}

const token =
  /\s*(?:([{}[\],:])|("(?:[^"\\\n]|\\.)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?=[\s,:\]}]|$))/y;

/** Parser states: the tokens that may follow. */
type Expected = 'value' | 'value or end' | 'name' | 'name or end' | 'colon' | 'comma or end';

/** Offset of the first invalid token. The text is parsed here again, because browsers no longer report the position. */
function errorOffset(text: string): number {
  const open: string[] = [];
  let expected: Expected = 'value';
  token.lastIndex = 0;
  for (;;) {
    const start = skipSpace(text, token.lastIndex);
    token.lastIndex = start;
    const match = token.exec(text);
    const next: Expected | undefined = match ? step(expected, match[1] ?? match[2] ?? '', open) : undefined;
    if (!next) return start;
    expected = next;
  }
}

const skipSpace = (text: string, from: number): number => from + (/^\s*/.exec(text.slice(from))?.[0].length ?? 0);

/** State after a token; undefined if the token is not allowed here. */
const step = (expected: Expected, found: string, open: string[]): Expected | undefined =>
  (tokenActions[found] ?? scalar)(rules[expected], found, open);

type TokenAction = (rule: Rule, found: string, open: string[]) => Expected | undefined;

const begin: TokenAction = (rule, found, open) => {
  open.push(found);
  if (!rule.value) return undefined;
  return found === '{' ? 'name or end' : 'value or end';
};

const end: TokenAction = (rule, found, open) => {
  const isPair = open.pop() === (found === '}' ? '{' : '[');
  return rule.end?.includes(found) && isPair ? 'comma or end' : undefined;
};

const comma: TokenAction = (rule, _, open) => {
  if (!rule.comma || open.length === 0) return undefined;
  return open.at(-1) === '{' ? 'name' : 'value';
};

const scalar: TokenAction = (rule, found) => {
  if (rule.name && found.startsWith('"')) return 'colon';
  return rule.value ? 'comma or end' : undefined;
};

const tokenActions: Readonly<Record<string, TokenAction>> = {
  '{': begin,
  '[': begin,
  '}': end,
  ']': end,
  ',': comma,
  ':': (rule) => (rule.colon ? 'value' : undefined),
};

interface Rule {
  readonly value?: true;
  readonly name?: true;
  readonly colon?: true;
  readonly comma?: true;
  readonly end?: string;
}

const rules: Readonly<Record<Expected, Rule>> = {
  value: { value: true },
  'value or end': { value: true, end: ']' },
  name: { name: true },
  'name or end': { name: true, end: '}' },
  colon: { colon: true },
  'comma or end': { comma: true, end: '}]' },
};
