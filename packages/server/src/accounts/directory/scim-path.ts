import { parseJson } from '@headgate/dialects';
import { invalidScimRequest } from './scim-error.ts';

const maxPathLength = 1000;
const maxFilterLength = 2000;
const maxConditions = 10;

/** An attribute of a resource, as in `name.givenName` or `emails[type eq "work"].value`. Names are in lower case. */
export interface ScimPath {
  readonly attribute: string;
  /** Comparison that selects values of a multi-valued attribute. */
  readonly condition?: Condition;
  readonly sub?: string;
}

/** A comparison with `eq`. */
export interface Condition {
  readonly attribute: string;
  readonly value: string;
}

const coreSchema = /^urn:ietf:params:scim:schemas:core:2\.0:(?:user|group):/i;
const pathPattern = /^([a-z$][\w$-]*)(?:\[([^\]]*)\])?(?:\.([a-z$][\w$-]*))?$/i;
const conditionPattern = /^([a-z$][\w$-]*) +eq +("(?:[^"\\]|\\.)*"|true|false)$/i;

/** Undefined for attributes of other schemas, which are ignored. */
export function parsePath(text: string): ScimPath | undefined {
  if (text.length > maxPathLength) throw invalidScimRequest('invalidPath', 'The path is too long.');
  const path = text.trim().replace(coreSchema, '');
  if (/^urn:/i.test(path)) return undefined;
  const [, attribute, condition, sub] = pathPattern.exec(path) ?? [];
  if (attribute === undefined) throw invalidScimRequest('invalidPath', 'The path is invalid.');
  return {
    attribute: attribute.toLowerCase(),
    ...(condition !== undefined && { condition: parseCondition(condition.trim()) }),
    ...(sub !== undefined && { sub: sub.toLowerCase() }),
  };
}

function parseCondition(text: string): Condition {
  const [, attribute, value] = conditionPattern.exec(text) ?? [];
  if (attribute === undefined || value === undefined)
    throw invalidScimRequest('invalidFilter', 'Only the operator eq is supported in a path.');
  return { attribute: attribute.toLowerCase(), value: comparedValue(value) };
}

/** Text of a quoted string or a boolean. */
function comparedValue(text: string): string {
  if (!text.startsWith('"')) return text.toLowerCase();
  const value = parseJson(text);
  if (typeof value === 'string' && !value.includes('\0')) return value;
  throw invalidScimRequest('invalidFilter', 'The value of the filter is invalid.');
}

const clausePattern = /^ *([a-z][\w:.$-]*(?:\[[^\]]*\](?:\.\w+)?)?) +([a-z]{2}) +("(?:[^"\\]|\\.)*"|true|false)/i;

/** Comparisons of a filter, combined with `and`. Only `eq` and `and` are supported. */
export function parseFilter(text: string): readonly Condition[] {
  if (text.length > maxFilterLength) throw invalidScimRequest('invalidFilter', 'The filter is too long.');
  const conditions: Condition[] = [];
  for (let rest = text.trim(); rest !== ''; ) {
    const [clause, attribute, operator, value] = clausePattern.exec(rest) ?? [];
    if (clause === undefined || attribute === undefined || value === undefined || operator?.toLowerCase() !== 'eq')
      throw invalidScimRequest('invalidFilter', 'Only comparisons with eq, joined by and, are supported.');
    conditions.push({ attribute: filterAttribute(attribute), value: comparedValue(value) });
    rest = rest.slice(clause.length).trim();
    if (rest === '') break;
    const [conjunction] = /^and +/i.exec(rest) ?? [];
    if (conjunction === undefined || conditions.length >= maxConditions)
      throw invalidScimRequest('invalidFilter', `Only up to ${maxConditions} comparisons joined by and are supported.`);
    rest = rest.slice(conjunction.length);
  }
  return conditions;
}

/** `emails[type eq "work"].value`, `emails.value` and `emails` are the same attribute, as there is one address. */
function filterAttribute(text: string): string {
  const path = text.replace(coreSchema, '').toLowerCase();
  const open = path.indexOf('[');
  const plain = open === -1 ? path : path.slice(0, open) + path.slice(path.indexOf(']') + 1);
  return plain.replace(/^(emails|members)\.value$/, '$1');
}
