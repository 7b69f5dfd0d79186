import { isObject, type JsonObject, parseJson } from './json-fields.ts';
import { UpstreamProblem } from './problems.ts';

// Upstream data is untrusted: a field of an unexpected type counts as absent.

export function objectAt(source: unknown, name: string): JsonObject {
  const value = isObject(source) ? source[name] : undefined;
  return isObject(value) ? value : noFields;
}

export function listAt(source: unknown, name: string): readonly unknown[] {
  const value = isObject(source) ? source[name] : undefined;
  return Array.isArray(value) ? (value as readonly unknown[]) : [];
}

export function textAt(source: unknown, name: string): string {
  const value = isObject(source) ? source[name] : undefined;
  return typeof value === 'string' ? value : '';
}

export function numberAt(source: unknown, name: string): number | undefined {
  const value = isObject(source) ? source[name] : undefined;
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** Parses the JSON of a frame. */
export function parseFrame(text: string): unknown {
  const value = parseJson(text);
  if (value === undefined) throw new UpstreamProblem(502, 'The upstream sent a chunk that is not JSON');
  return value;
}

const noFields: JsonObject = {};

/**
 * True if the provider should summarize earlier turns. Anthropic's field contains a list of edits, OpenAI's a single
 * edit; edits that only remove content do not require reading the prompt again.
 */
export function requestsSummary({ context_management: wanted }: JsonObject): boolean {
  const edits = isObject(wanted) ? wanted['edits'] : wanted;
  if (edits === undefined || edits === null) return false;
  return !Array.isArray(edits) || edits.some((edit) => !isObject(edit) || !String(edit['type']).startsWith('clear_'));
}
