import {
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  type YAMLMap,
  type YAMLParseError,
} from 'yaml';
import { ConfigFileError } from './config-file-error.ts';
import { escapeLine } from './escape-line.ts';

export type Path = readonly PropertyKey[];

/** Parsed YAML with line numbers. */
export interface ParsedYaml {
  readonly value: unknown;
  /** Line of the value at a path, or of its closest existing parent. */
  lineOf(path: Path): number;
}

/** Deeper than any valid configuration; limited because the parser is recursive. */
const maxDepth = 16;

/**
 * Reads the YAML subset for plain data: no anchors, tags, further documents or duplicate keys. Duplicate keys are
 * checked here, because the parser would compare every pair of keys.
 */
export function readYaml(text: string, file: string): ParsedYaml {
  const lines = new LineCounter();
  const document = parsed(text, lines);
  const reader = new PlainReader(file, lines);
  const [error] = document.errors;
  if (error) throw reader.faultAt(error.pos[0], `this is not YAML (${parseErrorMessage(error)}).`);
  const value = reader.read(document.contents, []);
  return { value, lineOf: (path) => nearestLine(reader.lines, path) };
}

class PlainReader {
  readonly lines = new Map<string, number>();
  readonly #file: string;
  readonly #lines: LineCounter;

  constructor(file: string, lines: LineCounter) {
    this.#file = file;
    this.#lines = lines;
  }

  faultAt(offset: number | undefined, message: string): ConfigFileError {
    return new ConfigFileError(this.#file, this.#lineAt(offset), message);
  }

  read(node: unknown, path: Path): unknown {
    if (!isNode(node)) return null;
    if (path.length > maxDepth) throw this.#fault(node, 'nested too deeply.');
    this.#rejectMagic(node);
    if (isMap(node)) return this.#map(node, path);
    if (isSeq(node)) return node.items.map((item, index) => this.#item(item, [...path, index]));
    const value = isScalar(node) ? node.value : undefined;
    if (typeof value === 'string') this.#rejectUnstorable(node, value);
    return value;
  }

  /** Rejects text that a database stores differently: it would always differ from the file. */
  #rejectUnstorable(node: Node, text: string): void {
    if (text.includes('\0')) throw this.#fault(node, 'text must not contain a null character.');
    if (!text.isWellFormed()) throw this.#fault(node, 'text must not contain half a surrogate pair.');
  }

  #rejectMagic(node: Node): void {
    if (isAlias(node)) throw this.#fault(node, 'aliases are not supported.');
    const { anchor, tag } = node as { anchor?: string; tag?: string };
    if (anchor !== undefined) throw this.#fault(node, 'anchors are not supported.');
    if (tag !== undefined) throw this.#fault(node, 'tags are not supported.');
  }

  #item(item: unknown, path: Path): unknown {
    this.#addLine(path, item);
    return this.read(item, path);
  }

  #map(map: YAMLMap, path: Path): unknown {
    const entries = new Map<string, unknown>();
    for (const { key, value } of map.items) {
      const name = this.#name(key, map);
      if (entries.has(name)) throw this.#fault(key, `${quoteForMessage(name)} is a duplicate.`);
      this.#addLine([...path, name], key);
      entries.set(name, this.read(value, [...path, name]));
    }
    return Object.fromEntries(entries);
  }

  #name(key: unknown, map: YAMLMap): string {
    const name = isScalar(key) ? this.read(key, []) : undefined;
    if (typeof name !== 'string') throw this.#fault(isNode(key) ? key : map, 'a key must be a string.');
    // Assigning it would set the prototype of the object.
    if (name === '__proto__') throw this.#fault(key, '"__proto__" is not a valid name.');
    return name;
  }

  #addLine(path: Path, node: unknown): void {
    this.lines.set(keyOf(path), this.#lineAt(offsetOf(node)));
  }

  #fault(node: unknown, message: string): ConfigFileError {
    return this.faultAt(offsetOf(node), message);
  }

  #lineAt(offset = 0): number {
    return this.#lines.linePos(offset).line || 1;
  }
}

/** The parser's messages quote the input, which may contain a secret, so they are replaced by our own. */
const parseErrorMessage = ({ code }: YAMLParseError): string => parseErrorMessages[code] ?? 'invalid syntax';

const parseErrorMessages: Readonly<Partial<Record<YAMLParseError['code'], string>>> = {
  BAD_ALIAS: 'unknown alias',
  BAD_DQ_ESCAPE: 'unknown escape sequence',
  BAD_INDENT: 'wrong indentation',
  BAD_SCALAR_START: 'text that starts with this character must be quoted',
  BLOCK_AS_IMPLICIT_KEY: 'text with a colon must be quoted',
  BLOCK_IN_FLOW: 'unclosed bracket',
  KEY_OVER_1024_CHARS: 'key too long',
  MISSING_CHAR: 'missing colon, comma, quote or bracket',
  MULTILINE_IMPLICIT_KEY: 'multi-line key',
  MULTIPLE_DOCS: 'more than one document',
  RESOURCE_EXHAUSTION: 'nested too deeply',
  TAB_AS_INDENT: 'tabs are not allowed as indentation',
  TAG_RESOLVE_FAILED: 'unknown tag',
};

const offsetOf = (node: unknown): number | undefined => (isNode(node) ? node.range?.[0] : undefined);

function parsed(text: string, lineCounter: LineCounter) {
  return parseDocument(text, {
    lineCounter,
    stringKeys: true,
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: 'error',
  });
}

const keyOf = (path: Path): string => JSON.stringify(path);

function nearestLine(lines: ReadonlyMap<string, number>, path: Path): number {
  for (let length = path.length; length > 0; length -= 1) {
    const line = lines.get(keyOf(path.slice(0, length)));
    if (line !== undefined) return line;
  }
  return 1;
}

const maxQuotedLength = 100;

/** Quoted for messages, with control characters escaped. */
export const quoteForMessage = (text: string): string =>
  escapeLine(JSON.stringify(text.length > maxQuotedLength ? `${text.slice(0, maxQuotedLength)}…` : text));
