import { ConfigFileError } from './config-file-error.ts';
import { type ParsedYaml, type Path, quoteForMessage, readYaml } from './yaml-text.ts';

type Section = Readonly<Record<string, unknown>>;

/** One of the files that make up a configuration. */
interface FilePart {
  readonly name: string;
  readonly placed: ParsedYaml;
}

/** Reads an included file; `path` is relative to the main file. */
export type IncludeReader = (path: string) => { readonly name: string; readonly text: string };

export interface MergedFile {
  readonly value: unknown;
  /** File and line of the value at a path. */
  locationOf(path: Path): { readonly name: string; readonly line: number };
}

const maxIncludes = 100;

const isSection = (value: unknown): value is Section =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The main file merged with its includes. Each entry may be in only one of the files. */
export function mergeFiles(name: string, text: string, read: IncludeReader): MergedFile {
  const main = { name, placed: readYaml(text, name) };
  const { value } = main.placed;
  const partAt = (parts: readonly FilePart[], path: Path): FilePart =>
    parts.find((part) => hasPath(part.placed.value, path.slice(0, 2))) ?? main;
  const locationIn = (parts: readonly FilePart[]) => (path: Path) => {
    const part = partAt(parts, path);
    return { name: part.name, line: part.placed.lineOf(path) };
  };
  if (!isSection(value) || value['include'] === undefined) return { value, locationOf: locationIn([main]) };
  const { include, ...own } = value;
  const parts = [main, ...includedParts(main, include, read)];
  const merged = parts.slice(1).reduce<Section>((all, part) => merge(all, part, parts), own);
  return { value: merged, locationOf: locationIn(parts) };
}

function includedParts(main: FilePart, include: unknown, read: IncludeReader): FilePart[] {
  const isList = Array.isArray(include) && include.every((path) => typeof path === 'string' && path !== '');
  if (!isList || include.length > maxIncludes)
    throw errorIn(main, ['include'], `must be a list of at most ${maxIncludes} paths.`);
  return (include as readonly string[]).map((path) => {
    const { name, text } = read(path);
    return { name, placed: readYaml(text, name) };
  });
}

function merge(all: Section, part: FilePart, parts: readonly FilePart[]): Section {
  const { value } = part.placed;
  // An empty file.
  if (value === null) return all;
  if (!isSection(value)) throw errorIn(part, [], 'must contain sections.');
  const merged: Record<string, unknown> = { ...all };
  for (const [section, entries] of Object.entries(value)) {
    if (section === 'include' || section === 'version')
      throw errorIn(part, [section], `${section} is only allowed in the main file.`);
    const present = Object.hasOwn(merged, section) ? merged[section] : {};
    if (isSection(entries) && isSection(present)) {
      rejectDuplicate(section, Object.keys(entries), part, parts);
      merged[section] = { ...present, ...entries };
    } else merged[section] = entries;
  }
  return merged;
}

/** Rejects an entry that another file also contains. */
function rejectDuplicate(section: string, names: readonly string[], part: FilePart, parts: readonly FilePart[]): void {
  const others = parts.filter((one) => one !== part);
  for (const name of names) {
    const other = others.find((one) => hasPath(one.placed.value, [section, name]));
    if (other) throw errorIn(part, [section, name], `${section}.${quotedName(name)} is also in ${other.name}.`);
  }
}

const quotedName = (name: string): string => (/^[\w-]{1,60}$/.test(name) ? name : quoteForMessage(name));

const errorIn = ({ name, placed }: FilePart, path: Path, message: string): ConfigFileError =>
  new ConfigFileError(name, placed.lineOf(path), message);

const hasPath = (value: unknown, path: Path): boolean =>
  path.length === 0 ||
  (isSection(value) && Object.hasOwn(value, path[0] as string) && hasPath(value[path[0] as string], path.slice(1)));
