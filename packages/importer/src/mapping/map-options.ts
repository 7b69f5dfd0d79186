import { fillTemplate, isOptionKey, type OptionKey, optionError, optionRow } from '@headgate/contract';
import type { SourceRow } from '../source/source.ts';
import { readText } from '../source/source-values.ts';

export interface ImportedOption {
  /** Name of the option in the source. */
  readonly sourceId: string;
  readonly key: OptionKey;
  /** Stored value, secrets in plain text. */
  readonly text: string;
}

/** Options with a different name in new-api. */
const renamedOptions: Readonly<Record<string, OptionKey>> = {
  // Converted by call-prices.ts.
  ModelPrice: 'CallRatio',
  AudioCompletionRatio: 'AudioOutputRatio',
  CacheRatio: 'CacheReadRatio',
  CreateCacheRatio: 'CacheWriteRatio',
  'oidc.enabled': 'OidcEnabled',
  'oidc.client_id': 'OidcClientId',
  'oidc.client_secret': 'OidcClientSecret',
  'oidc.well_known': 'OidcWellKnown',
};

export const targetOptionKey = (sourceId: string): string =>
  (Object.hasOwn(renamedOptions, sourceId) ? renamedOptions[sourceId] : undefined) ?? sourceId;

export function mapOption(row: SourceRow): MappedRow<ImportedOption> {
  const sourceId = readText(row, 'key');
  const key = targetOptionKey(sourceId);
  if (!isOptionKey(key)) return { reason: 'is not an option here' };
  const given = readText(row, 'value');
  const { schema, format, initial, label } = optionRow(key);
  const fault = optionError(key, given);
  if (fault) return { reason: `is not valid here: ${fillTemplate(fault.message, { ...fault.values, label })}` };
  const text = format(schema.parse(given));
  // Default values are not imported.
  return text === format(initial) ? { reason: hasDefaultValue } : { row: { sourceId, key, text }, changes: [] };
}

export const hasDefaultValue = 'has the default value';

/** Options that must be set before this switch can be imported. */
export function missingOptions({ key, text }: ImportedOption, isFilled: (key: string) => boolean): readonly string[] {
  const { needs = [] } = optionRow(key);
  return text === 'true' ? needs.filter((need) => !isFilled(need)) : [];
}

/** Result for a source row: an imported row, or the reason why it is skipped. */
export type MappedRow<Row> = ImportedRow<Row> | SkippedRow;

export interface ImportedRow<Row> {
  readonly row: Row;
  /** Differences from the source row, for the report. */
  readonly changes: readonly string[];
}

export interface SkippedRow {
  readonly reason: string;
}

export const isSkipped = (outcome: MappedRow<unknown>): outcome is SkippedRow => 'reason' in outcome;

export const tooLong: SkippedRow = { reason: 'has a text longer than 1,000,000 characters' };
