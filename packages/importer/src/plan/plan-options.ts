import { defaultOptions, isOptionKey, type OptionKey, optionKeys, optionRow } from '@headgate/contract';
import { callPrices } from '../mapping/call-prices.ts';
import {
  hasDefaultValue,
  type ImportedOption,
  mapOption,
  missingOptions,
  targetOptionKey,
} from '../mapping/map-options.ts';
import { isSkipped, type Outcome, type Skipped } from '../mapping/outcome.ts';
import type { SourceRow } from '../source/source.ts';
import { textOf, truncate } from '../source/source-values.ts';
import type { TargetState } from '../target.ts';
import { rowLabel } from './import-tally.ts';
import { planTable } from './plan-table.ts';
import { checkLength } from './row-checks.ts';

const alreadySet: Skipped = { reason: 'is already set here' };
const changesBalances: Skipped = { reason: 'would change the value of existing balances' };
const exposesSecretReason: Skipped = { reason: 'would send a secret that is set here to another server' };
const missingReason = (missing: readonly string[]): Skipped => ({
  reason: `needs ${missing.join(' and ')}, which is not set`,
});

/** Keeps options that are set in this gateway, including options imported earlier, even if they have changed since. */
export function planOptions(rows: readonly SourceRow[], here: TargetState) {
  const prices = callPrices(rows);
  const brought = new Set([...here.imported.option.keys()].map(targetOptionKey));
  const isHere = (row: SourceRow) => brought.has(targetOptionKey(textOf(row, 'key')));
  const judged = new Map(
    rows.map((row) => [row, checkLength(row) ?? skipIfSet(mapOption(prices.mergeInto(row)), here)] as const),
  );
  const coming = [...judged].flatMap(([row, outcome]) =>
    isSkipped(outcome) || isHere(row) || outcome.row.text === '' ? [] : outcome.row.key,
  );
  const filled = new Set<string>([...optionsWithValue(here), ...coming]);
  const named = new Set<string>();
  const planOption = (row: SourceRow): readonly Outcome<ImportedOption>[] => {
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
    labelOf: (row) => rowLabel('option', truncate(textOf(row, 'key'), 100)),
    isHere,
    map: (row) => [...planOption(row), ...prices.skippedOf(row)],
  });
}

function skipIfSet(outcome: Outcome<ImportedOption>, here: TargetState): Outcome<ImportedOption> {
  if (isSkipped(outcome)) return outcome;
  if (here.options.has(outcome.row.key)) return alreadySet;
  if (outcome.row.key === 'QuotaPerUnit' && here.hasBalances) return changesBalances;
  return exposesSecret(outcome.row.key, here) ? exposesSecretReason : outcome;
}

/**
 * Addresses that receive a secret set in this gateway are not imported: the operator of another gateway must not
 * redirect our secrets.
 */
const exposesSecret = (key: OptionKey, { options }: TargetState): boolean =>
  optionKeys.some((secret) => optionRow(secret).sentTo?.includes(key) && (options.get(secret) ?? '') !== '');

/** Options with a non-empty value, set or by default. */
const optionsWithValue = ({ options }: TargetState): readonly string[] =>
  Object.keys(defaultOptions).filter(
    (key) => isOptionKey(key) && (options.get(key) ?? optionRow(key).format(defaultOptions[key])) !== '',
  );
