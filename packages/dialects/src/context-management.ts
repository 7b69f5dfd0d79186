import { isObject, type JsonObject } from './json-fields.ts';

/**
 * Whether the provider is to sum up what came before. Anthropic has a list of edits in the field, OpenAI is one; what only
 * leaves parts of the prompt out reads nothing.
 */
export function wantsSummary({ context_management: wanted }: JsonObject): boolean {
  const edits = isObject(wanted) ? wanted['edits'] : wanted;
  if (edits === undefined || edits === null) return false;
  return !Array.isArray(edits) || edits.some((edit) => !isObject(edit) || !String(edit['type']).startsWith('clear_'));
}
