import {
  asyncResponseFields,
  fallbackModelFields,
  routingFields,
  singleFormFields,
  unpricedFields,
} from '@headgate/dialects';
import { RelayError } from '../ports/relay-error.ts';

/** Fields that are accepted only in this exact spelling. */
const checkedNames: ReadonlySet<string> = new Set([
  ...routingFields,
  ...unpricedFields.keys(),
  ...asyncResponseFields.keys(),
]);

export const isOtherModelField = (name: string): boolean => fallbackModelFields.has(name);

/** Normalizes names that case-insensitive upstreams treat as the same field; some upstreams also ignore separators. */
const normalizedName = (name: string): string => name.toUpperCase().toLowerCase().replace(/[_-]/g, '');

const checkedByNormalizedName: ReadonlyMap<string, string> = new Map(
  [...checkedNames].map((name) => [normalizedName(name), name]),
);

/** The checked field that an upstream may mistake this name for. */
export const checkedFieldFor = (name: string): string | undefined => checkedByNormalizedName.get(normalizedName(name));

/** True if an upstream may mistake the name for a checked field, or for one that selects another model. */
export const isCheckedField = (name: string): boolean =>
  checkedFieldFor(name) !== undefined || isOtherModelField(name.toLowerCase());

/** Cache of field names known not to be alternate spellings of a checked field. */
const uncheckedNames = new Set<string>();
const maxUncheckedNames = 1000;

/** Rejects a key that an upstream may mistake for a checked field. */
export function rejectAlternateSpelling(name: string): void {
  if (checkedNames.has(name) || uncheckedNames.has(name)) return;
  const meant = checkedFieldFor(name);
  if (meant !== undefined) throw ambiguousFieldError(name, `Unknown field ${name}. Use ${meant} instead`);
  // The gateway checked and priced only one model.
  if (isOtherModelField(name.toLowerCase()))
    throw ambiguousFieldError(name, `${name} is not supported: request a single model`);
  if (uncheckedNames.size < maxUncheckedNames && name.length < 64) uncheckedNames.add(name);
}

/** Rejects a form field that an upstream may read differently than the relay. */
export function rejectAmbiguousField(name: string, isThere: boolean): void {
  const plain = (name.split('[', 1)[0] ?? '').trim();
  const meant = checkedFieldFor(plain);
  if (meant === undefined || !singleFormFields.has(meant)) return;
  if (name !== meant) throw ambiguousFieldError(name, `Unknown field ${name}. Use ${meant} instead`);
  if (isThere) throw ambiguousFieldError(name, `${name} is given twice`);
}

export function ambiguousFieldError(name: string, message: string): RelayError {
  const rejection = new RelayError(400, message, 'ambiguous_field', 'invalid_request_error');
  rejection.param = name.slice(0, 100);
  return rejection;
}
