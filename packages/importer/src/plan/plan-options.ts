import { defaultOptions, isOptionKey, type OptionKey, optionKeys, optionRow } from '@headgate/contract';
import { callPrices } from '../mapping/call-prices.ts';
import { type ImportedOption, mapOption, missingFor, nameHere, unset } from '../mapping/map-options.ts';
import { type Outcome, type Staying, staysBehind } from '../mapping/outcome.ts';
import type { SourceRow } from '../source/source.ts';
import { cut, textOf } from '../source/source-values.ts';
import type { Here } from '../target.ts';
import { called } from './import-tally.ts';
import { planTable } from './plan-table.ts';
import { lengthFault } from './row-faults.ts';

const isSet: Staying = { reason: 'is already set here' };
const exposing: Staying = { reason: 'would send a secret that is set here to another server' };
const needing = (missing: readonly string[]): Staying => ({
  reason: `needs ${missing.join(' and ')}, which is not set`,
});

/** Options set here are kept, and so are options imported earlier, even if they have changed since. */
export function planOptions(rows: readonly SourceRow[], here: Here) {
  const prices = callPrices(rows);
  const brought = new Set([...here.imported.option.keys()].map(nameHere));
  const isHere = (row: SourceRow) => brought.has(nameHere(textOf(row, 'key')));
  const judged = new Map(
    rows.map((row) => [row, lengthFault(row) ?? unlessKept(mapOption(prices.merged(row)), here)] as const),
  );
  const coming = [...judged].flatMap(([row, outcome]) =>
    staysBehind(outcome) || isHere(row) || outcome.row.text === '' ? [] : outcome.row.key,
  );
  const filled = new Set<string>([...filledHere(here), ...coming]);
  const named = new Set<string>();
  const planOption = (row: SourceRow): readonly Outcome<ImportedOption>[] => {
    const outcome = judged.get(row) ?? { reason: unset };
    if (staysBehind(outcome)) return outcome.reason === unset ? [] : [outcome];
    const missing = missingFor(outcome.row, (key) => filled.has(key));
    if (missing.length > 0) return [needing(missing)];
    // The option may occur under its current and an earlier name.
    if (named.has(outcome.row.key)) return [];
    named.add(outcome.row.key);
    return [outcome];
  };
  return planTable<ImportedOption>(rows, {
    kind: 'option',
    name: 'options',
    labelOf: (row) => called('option', cut(textOf(row, 'key'), 100)),
    isHere,
    map: (row) => [...planOption(row), ...prices.staying(row)],
  });
}

function unlessKept(outcome: Outcome<ImportedOption>, here: Here): Outcome<ImportedOption> {
  if (staysBehind(outcome)) return outcome;
  if (here.options.has(outcome.row.key)) return isSet;
  return exposesSecret(outcome.row.key, here) ? exposing : outcome;
}

/**
 * Destinations of secrets that are set here are not imported: the operator of another gateway must not redirect our
 * secrets.
 */
const exposesSecret = (key: OptionKey, { options }: Here): boolean =>
  optionKeys.some((secret) => optionRow(secret).sentTo?.includes(key) && (options.get(secret) ?? '') !== '');

/** Options with a non-empty value, set or by default. */
const filledHere = ({ options }: Here): readonly string[] =>
  Object.keys(defaultOptions).filter(
    (key) => isOptionKey(key) && (options.get(key) ?? optionRow(key).format(defaultOptions[key])) !== '',
  );
