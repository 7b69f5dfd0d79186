import { deferringFields, judgedFields, otherModelsFields, singleFormFields, unpricedFields } from '@headgate/dialects';
import { RelayError } from '../ports/relay-error.ts';

/** Each of these has this one spelling. */
const judgedNames: ReadonlySet<string> = new Set([
  ...judgedFields,
  ...unpricedFields.keys(),
  ...deferringFields.keys(),
]);

export const isOtherModelsField = (name: string): boolean => otherModelsFields.has(name);

/** Read as one letter by upstreams that do not care for case, some of which do not care for what joins words either. */
const folded = (name: string): string => name.toUpperCase().toLowerCase().replace(/[_-]/g, '');

const judgedByFold: ReadonlyMap<string, string> = new Map([...judgedNames].map((name) => [folded(name), name]));

/** The judged field that an upstream may take this name for. */
export const meantBy = (name: string): string | undefined => judgedByFold.get(folded(name));

/** Whether an upstream may take it for a field that was judged, or for one that names another model. */
export const isJudged = (name: string): boolean =>
  meantBy(name) !== undefined || isOtherModelsField(name.toLowerCase());

/** Names that were looked at before and are nobody's other spelling. */
const harmless = new Set<string>();
const mostHarmless = 1000;

/** Refuses a key that an upstream may take for a field that was judged without it. */
export function refuseOtherSpelling(name: string): void {
  if (judgedNames.has(name) || harmless.has(name)) return;
  const meant = meantBy(name);
  if (meant !== undefined) throw refusedField(name, `${name} is not a field; ${meant} is`);
  // Only one was judged and priced.
  if (isOtherModelsField(name.toLowerCase())) throw refusedField(name, `${name} is not supported: name one model`);
  if (harmless.size < mostHarmless && name.length < 64) harmless.add(name);
}

/** Refuses a form's field that an upstream may read in another way than it was judged. */
export function refuseDoubtfulField(name: string, isThere: boolean): void {
  const plain = (name.split('[', 1)[0] ?? '').trim();
  const meant = meantBy(plain);
  if (meant === undefined || !singleFormFields.has(meant)) return;
  if (name !== meant) throw refusedField(name, `${name} is not a field; ${meant} is`);
  if (isThere) throw refusedField(name, `${name} is given twice`);
}

export function refusedField(name: string, message: string): RelayError {
  const refused = new RelayError(400, message, 'ambiguous_field', 'invalid_request_error');
  refused.param = name.slice(0, 100);
  return refused;
}
