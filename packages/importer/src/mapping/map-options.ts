import { fillSentence, isOptionKey, type OptionKey, optionFault, optionRow } from '@headgate/contract';
import type { SourceRow } from '../source/source.ts';
import { textOf } from '../source/source-values.ts';
import type { Outcome } from './outcome.ts';

export interface ImportedOption {
  /** As it is called there. */
  readonly sourceId: string;
  readonly key: OptionKey;
  /** As it is stored, secrets in the clear. */
  readonly text: string;
}

/** Options that new-api calls something else. */
const otherNames: Readonly<Record<string, OptionKey>> = {
  // As far as it can be: see call-prices.ts.
  ModelPrice: 'ModelRatio',
  CacheRatio: 'CacheReadRatio',
  CreateCacheRatio: 'CacheWriteRatio',
  'oidc.enabled': 'OidcEnabled',
  'oidc.client_id': 'OidcClientId',
  'oidc.client_secret': 'OidcClientSecret',
  'oidc.well_known': 'OidcWellKnown',
};

export const nameHere = (sourceId: string): string =>
  (Object.hasOwn(otherNames, sourceId) ? otherNames[sourceId] : undefined) ?? sourceId;

export function mapOption(row: SourceRow): Outcome<ImportedOption> {
  const sourceId = textOf(row, 'key');
  const key = nameHere(sourceId);
  if (!isOptionKey(key)) return { reason: 'is no option here' };
  const given = textOf(row, 'value');
  const { schema, format, initial, label } = optionRow(key);
  const fault = optionFault(key, given);
  if (fault) return { reason: `cannot be saved here: ${fillSentence(fault.words, { ...fault.values, label })}` };
  const text = format(schema.parse(given));
  // What is not set says nothing.
  return text === format(initial) ? { reason: unset } : { row: { sourceId, key, text }, changes: [] };
}

export const unset = 'is what it is here without being set';

/** What a switch needs and does not have: it comes only with all of that. */
export function missingFor({ key, text }: ImportedOption, isFilled: (key: string) => boolean): readonly string[] {
  const { needs = [] } = optionRow(key);
  return text === 'true' ? needs.filter((need) => !isFilled(need)) : [];
}
