import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Comment, type EcmaScriptModule, type Program, parseSync, Visitor } from 'oxc-parser';

export interface Import {
  readonly specifier: string;
  readonly line: number;
  readonly isTypeOnly: boolean;
  /** Imported values by their exported names, including `default` and `*`; types are excluded. */
  readonly names: readonly string[];
}

export interface ParsedFile {
  /** Relative to the repository, with forward slashes. */
  readonly path: string;
  readonly text: string;
  /** Built when it is read first, because that takes longer than parsing. */
  readonly program: Program;
  readonly module: EcmaScriptModule;
  readonly imports: readonly Import[];
  readonly comments: readonly Comment[];
  lineAt(offset: number): number;
}

/** Reads and parses one source file. Throws on a syntax error, because an unparsed file would pass every rule. */
export function parseFile(root: string, path: string): ParsedFile {
  const text = readFileSync(join(root, path), 'utf8');
  const parsed = parseSync(path, text);
  const { module } = parsed;
  const [error] = parsed.errors;
  if (error !== undefined) throw new Error(`${path} does not parse: ${error.message}`);
  const lineAt = lineCounter(text);
  const imports = [
    ...importStatements(module, lineAt),
    ...reExports(module, lineAt),
    ...dynamicImports(module, text, lineAt),
    ...(/\bimport\s*\(/.test(text) ? importTypes(parsed.program, lineAt) : []),
  ];
  return {
    path,
    text,
    get program() {
      return parsed.program;
    },
    module,
    imports,
    get comments() {
      return parsed.comments;
    },
    lineAt,
  };
}

type LineAt = (offset: number) => number;

function lineCounter(text: string): LineAt {
  return (offset) => text.slice(0, offset).split('\n').length;
}

function importStatements(module: EcmaScriptModule, lineAt: LineAt): Import[] {
  return module.staticImports.map(({ start, moduleRequest, entries }) => ({
    specifier: moduleRequest.value,
    line: lineAt(start),
    isTypeOnly: entries.length > 0 && entries.every((entry) => entry.isType),
    names: entries.filter((entry) => !entry.isType).map(({ importName }) => valueName(importName)),
  }));
}

function reExports(module: EcmaScriptModule, lineAt: LineAt): Import[] {
  // Re-exports of imported bindings are listed here too, at the position of the import statement.
  const imported = new Set(module.staticImports.map(({ start }) => start));
  return module.staticExports.flatMap(({ start, entries }) => {
    const [first] = entries;
    if (!first?.moduleRequest || imported.has(start)) return [];
    return {
      specifier: first.moduleRequest.value,
      line: lineAt(start),
      isTypeOnly: entries.every((entry) => entry.isType),
      names: entries.filter((entry) => !entry.isType).map(({ importName }) => valueName(importName)),
    };
  });
}

function valueName({ kind, name }: { kind: string; name: string | null }): string {
  if (kind === 'Name' && name !== null) return name;
  return kind === 'Default' ? 'default' : '*';
}

function dynamicImports(module: EcmaScriptModule, text: string, lineAt: LineAt): Import[] {
  return module.dynamicImports.flatMap(({ start, moduleRequest }) => {
    const literal = /^(['"`])([^'"`$]+)\1$/.exec(text.slice(moduleRequest.start, moduleRequest.end));
    if (literal?.[2] === undefined) return [];
    return { specifier: literal[2], line: lineAt(start), isTypeOnly: false, names: ['*'] };
  });
}

function importTypes(program: Program, lineAt: LineAt): Import[] {
  const found: Import[] = [];
  new Visitor({
    TSImportType: ({ source, start }) => {
      found.push({ specifier: source.value, line: lineAt(start), isTypeOnly: true, names: [] });
    },
  }).visit(program);
  return found;
}
