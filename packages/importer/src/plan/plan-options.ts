import { defaultOptions, isOptionKey, type OptionKey, optionKeys, optionRow } from '@headgate/contract';
import { sourcePrices } from '../mapping/call-prices.ts';
import {
  hasDefaultValue,
  type ImportedOption,
  isSkipped,
  type MappedRow,
  mapOption,
  missingOptions,
  type SkippedRow,
  targetOptionKey,
  tooLong,
} from '../mapping/map-options.ts';
import type { SourceRow } from '../source/source.ts';
import { isTooLong, readId, readText, truncate } from '../source/source-values.ts';
import type { TargetState } from '../target.ts';
import { ImportTally, rowLabel, type TableReport } from './import-tally.ts';

const alreadySet: SkippedRow = { reason: 'is already set here' };
const changesBalances: SkippedRow = { reason: 'would change the value of existing balances' };
const exposesSecretReason: SkippedRow = { reason: 'would send a secret that is set here to another server' };
const missingReason = (missing: readonly string[]): SkippedRow => ({
  reason: `needs ${missing.join(' and ')}, which is not set`,
});

/** Keeps options that are set in this gateway, including options imported earlier, even if they have changed since. */
export function planOptions(given: readonly SourceRow[], here: TargetState) {
  const prices = sourcePrices(given);
  const { rows } = prices;
  const brought = new Set([...here.imported.option.keys()].map(targetOptionKey));
  const isHere = (row: SourceRow) => brought.has(targetOptionKey(readText(row, 'key')));
  const judged = new Map(
    rows.map((row) => [row, checkLength(row) ?? skipIfSet(mapOption(prices.convert(row)), here)] as const),
  );
  const coming = [...judged].flatMap(([row, outcome]) =>
    isSkipped(outcome) || isHere(row) || outcome.row.text === '' ? [] : outcome.row.key,
  );
  const filled = new Set<string>([...optionsWithValue(here), ...coming]);
  const named = new Set<string>();
  const planOption = (row: SourceRow): readonly MappedRow<ImportedOption>[] => {
    const outcome = judged.get(row) ?? { reason: hasDefaultValue };
    if (isSkipped(outcome)) return outcome.reason === hasDefaultValue ? [] : [outcome];
    const missing = missingOptions(outcome.row, (key) => filled.has(key));
    if (missing.length > 0) return [missingReason(missing)];
    // The option may occur under both its current and an earlier name.
    if (named.has(outcome.row.key)) return [];
    named.add(outcome.row.key);
    return [outcome];
  };
  return planTable<ImportedOption>(rows, {
    kind: 'option',
    name: 'options',
    labelOf: (row) => rowLabel('option', truncate(readText(row, 'key'), 100)),
    isHere,
    map: (row) => [...planOption(row), ...prices.skippedOf(row)],
  });
}

function skipIfSet(outcome: MappedRow<ImportedOption>, here: TargetState): MappedRow<ImportedOption> {
  if (isSkipped(outcome)) return outcome;
  if (here.options.has(outcome.row.key)) return alreadySet;
  if (outcome.row.key === 'QuotaPerUnit' && here.hasBalances) return changesBalances;
  return exposesSecret(outcome.row.key, here) ? exposesSecretReason : outcome;
}

/**
 * URLs that receive a secret set in this gateway are not imported: the operator of another gateway must not redirect
 * our secrets.
 */
const exposesSecret = (key: OptionKey, { options }: TargetState): boolean =>
  optionKeys.some((secret) => optionRow(secret).sentTo?.includes(key) && (options.get(secret) ?? '') !== '');

/** Options with a non-empty value, set or by default. */
const optionsWithValue = ({ options }: TargetState): readonly string[] =>
  Object.keys(defaultOptions).filter(
    (key) => isOptionKey(key) && (options.get(key) ?? optionRow(key).format(defaultOptions[key])) !== '',
  );

interface TablePlan<Row> {
  readonly rows: readonly Row[];
  readonly report: TableReport;
}

interface Steps<Row> {
  /** Singular, for labels. */
  readonly kind: string;
  /** Plural, for the report. */
  readonly name: string;
  /** Reason why the row cannot be identified. */
  readonly faultOf?: (row: SourceRow) => SkippedRow | undefined;
  readonly labelOf?: (row: SourceRow) => string;
  readonly isHere: (row: SourceRow) => boolean;
  readonly map: (row: SourceRow) => readonly MappedRow<Row>[];
}

/** Plans the import of one table. */
export function planTable<Row>(rows: readonly SourceRow[], steps: Steps<Row>): TablePlan<Row> {
  const { labelOf = (row) => rowLabel(steps.kind, reportedId(row), truncate(readText(row, 'name'), 60)) } = steps;
  const tally = new ImportTally(steps.name);
  const planned: Row[] = [];
  for (const row of rows) {
    const outcomes = outcomesOf(row, steps);
    for (const outcome of outcomes) if (!isSkipped(outcome)) planned.push(outcome.row);
    if (outcomes.length === 0) tally.addExisting();
    else tally.add(labelOf(row), outcomes);
  }
  return { rows: planned, report: tally.report };
}

/** Empty if the row was already imported. */
function outcomesOf<Row>(row: SourceRow, { faultOf, isHere, map }: Steps<Row>): readonly MappedRow<Row>[] {
  const fault = faultOf?.(row);
  if (fault) return [fault];
  if (isHere(row)) return [];
  const tooLong = checkLength(row);
  return tooLong ? [tooLong] : map(row);
}

const noId: SkippedRow = { reason: 'has an id that is not a whole number' };
const sameId: SkippedRow = { reason: 'has the same id as an earlier row' };

/** Row id for labels and lookups; `?` if invalid. */
export const idLabel = (row: SourceRow): string => String(readId(row) ?? '?');

/** Id for the report; rows converted from another format have a separate one. */
export const reportedId = (row: SourceRow): string => readText(row, 'label') || idLabel(row);

/** Creates a check for valid and unique ids. Without them, every run would import the row again. */
export function createIdCheck(): (row: SourceRow) => SkippedRow | undefined {
  const seen = new Set<number>();
  return (row) => {
    const id = readId(row);
    if (id === undefined) return noId;
    if (seen.has(id)) return sameId;
    seen.add(id);
    return undefined;
  };
}

export const checkLength = (row: SourceRow): SkippedRow | undefined => (isTooLong(row) ? tooLong : undefined);
