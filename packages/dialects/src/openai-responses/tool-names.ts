import { isObject, type JsonObject } from '../json-fields.ts';
import { listAt, textAt } from '../upstream-fields.ts';

/** A tool of this dialect, with its name for upstreams that only have functions. */
export interface NamedTool {
  readonly kind: 'function' | 'custom' | 'local_shell';
  readonly name: string;
  readonly namespace?: string;
}

export const localShellName = 'local_shell';

const maxNameLength = 64;

/** Flat name of a namespaced function. Other wire formats have no namespaces and require shorter names. */
export function flatToolName(name: string, namespace: string): string {
  const joined = namespace === '' ? name : `${namespace}__${name}`;
  if (namespace === '' || joined.length <= maxNameLength) return joined;
  const mark = checksum(joined).toString(36);
  return `${joined.slice(0, maxNameLength - mark.length - 1)}_${mark}`;
}

/** FNV-1a: distinguishes long names with the same prefix. */
function checksum(text: string): number {
  let sum = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) sum = Math.imul(sum ^ text.charCodeAt(at), 0x01000193);
  return sum >>> 0;
}

/** The request's tools by the names that the model sees, to write calls in the client's format. */
export function toolsByName(body: JsonObject): ReadonlyMap<string, NamedTool> {
  const named = new Map<string, NamedTool>();
  const added = listAt(body, 'input').flatMap((item) =>
    isObject(item) && item['type'] === 'additional_tools' ? listAt(item, 'tools') : [],
  );
  for (const tool of [...listAt(body, 'tools'), ...added]) addToolName(named, tool, '');
  return named;
}

function addToolName(named: Map<string, NamedTool>, tool: unknown, namespace: string): void {
  const kind = textAt(tool, 'type');
  const name = textAt(tool, 'name');
  if (kind === 'namespace') for (const inner of listAt(tool, 'tools')) addToolName(named, inner, name);
  else if (kind === 'local_shell') named.set(localShellName, { kind, name: localShellName });
  else if (kind === 'function' || kind === 'custom')
    named.set(flatToolName(name, namespace), { kind, name, ...(namespace !== '' && { namespace }) });
}
