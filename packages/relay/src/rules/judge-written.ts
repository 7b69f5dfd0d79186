import { isIrreplaceable, isUnwritable, protectedKeyIn } from '@headgate/contract';
import { deferringFields, type JsonObject, unpricedFields } from '@headgate/dialects';
import { checkedFieldFor } from '../request/checked-fields.ts';
import { valueAt } from './json-path.ts';
import { ruleNotAllowedError } from './rule-error.ts';

/**
 * Rejects a written value that the gateway cannot charge. Upstream formats differ in where they place a field, so
 * every name on the path and inside the value is checked, in any spelling.
 */
export function judgeWritten(body: JsonObject, path: readonly string[], allowed: readonly string[]): void {
  for (const [index, name] of path.entries()) judgeField(name, valueAt(body, path.slice(0, index + 1)), allowed);
  const written = valueAt(body, path);
  const fixed = protectedKeyIn(written, isUnwritable);
  if (fixed !== undefined) throw ruleNotAllowedError(`rules cannot write ${fixed.slice(0, 100)}`);
  judgeInside(written, allowed);
}

/** Rejects the replacement or removal of a value that contains a field on which the price depends. */
export function judgeReplaced(value: unknown): void {
  const fixed = protectedKeyIn(value, isIrreplaceable);
  if (fixed !== undefined) throw ruleNotAllowedError(`rules cannot remove ${fixed.slice(0, 100)}`);
}

function judgeInside(value: unknown, allowed: readonly string[]): void {
  const open: unknown[] = [value];
  while (open.length > 0) {
    const one = open.pop();
    if (typeof one !== 'object' || one === null) continue;
    for (const [name, inner] of Object.entries(one)) {
      if (!Array.isArray(one)) judgeField(name, inner, allowed);
      open.push(inner);
    }
  }
}

function judgeField(name: string, value: unknown, allowed: readonly string[]): void {
  const field = checkedFieldFor(name);
  if (field === undefined) return;
  if (deferringFields.get(field)?.(value) === false)
    throw ruleNotAllowedError(`${field} would make the upstream respond later`);
  if (unpricedFields.get(field)?.(value) === false && !allowed.includes(field))
    throw ruleNotAllowedError(`${field} with this value has no price on this gateway`);
}
