import { findProtectedKey, isProtectedFromReplace, isProtectedFromWrite } from '@headgate/contract';
import { asyncResponseFields, type JsonObject, unpricedFields } from '@headgate/dialects';
import { checkedFieldFor } from '../request/checked-fields.ts';
import { valueAt } from './json-path.ts';
import { ruleNotAllowedError } from './rule-error.ts';

/** A path, and the names in it that an upstream may read as a checked field. */
export interface AnalyzedPath {
  readonly segments: readonly string[];
  /** The path up to each such name, and the field. */
  readonly checked: readonly { readonly at: readonly string[]; readonly field: string }[];
}

/** A value, and the fields inside it that affect the cost. */
export interface AnalyzedValue {
  readonly value: unknown;
  /** First key that rules cannot write; undefined: none. */
  readonly fixed: string | undefined;
  readonly checked: readonly { readonly field: string; readonly inner: unknown }[];
}

export function analyzePath(segments: readonly string[]): AnalyzedPath {
  const checked = segments.flatMap((name, index) => {
    const field = checkedFieldFor(name);
    return field === undefined ? [] : [{ at: segments.slice(0, index + 1), field }];
  });
  return { segments, checked };
}

/** Upstream formats differ in where they place a field, so every name inside the value is checked, in any spelling. */
export function analyzeValue(value: unknown): AnalyzedValue {
  const checked: { field: string; inner: unknown }[] = [];
  const open: unknown[] = [value];
  while (open.length > 0) {
    const one = open.pop();
    if (typeof one !== 'object' || one === null) continue;
    for (const [name, inner] of Object.entries(one)) {
      const field = Array.isArray(one) ? undefined : checkedFieldFor(name);
      if (field !== undefined) checked.push({ field, inner });
      open.push(inner);
    }
  }
  return { value, fixed: findProtectedKey(value, isProtectedFromWrite), checked };
}

/** Rejects a written value with a cost that the gateway cannot charge. */
export function requirePriceableValue(
  body: JsonObject,
  path: AnalyzedPath,
  value: AnalyzedValue,
  allowed: readonly string[],
): void {
  for (const { at, field } of path.checked) requireChargeableField(field, valueAt(body, at), allowed);
  if (value.fixed !== undefined) throw ruleNotAllowedError(`rules cannot write ${value.fixed.slice(0, 100)}`);
  for (const { field, inner } of value.checked) requireChargeableField(field, inner, allowed);
}

/** Rejects replacing or removing a value that contains a field that affects the price. */
export function requireReplaceableValue(value: unknown): void {
  const fixed = findProtectedKey(value, isProtectedFromReplace);
  if (fixed !== undefined) throw ruleNotAllowedError(`rules cannot remove ${fixed.slice(0, 100)}`);
}

function requireChargeableField(field: string, value: unknown, allowed: readonly string[]): void {
  if (asyncResponseFields.get(field)?.(value) === false)
    throw ruleNotAllowedError(`${field} would make the upstream respond later`);
  if (unpricedFields.get(field)?.(value) === false && !allowed.includes(field))
    throw ruleNotAllowedError(`${field} with this value has no price on this gateway`);
}
