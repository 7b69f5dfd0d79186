import { isObject, type JsonObject } from './json-fields.ts';

/**
 * Whether the provider should summarize earlier turns. Anthropic's field contains a list of edits, OpenAI's a single
 * one; edits that only remove content need no second reading.
 */
export function wantsSummary({ context_management: wanted }: JsonObject): boolean {
  const edits = isObject(wanted) ? wanted['edits'] : wanted;
  if (edits === undefined || edits === null) return false;
  return !Array.isArray(edits) || edits.some((edit) => !isObject(edit) || !String(edit['type']).startsWith('clear_'));
}
