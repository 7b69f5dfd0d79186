import type { LogReason, TestResult } from '@headgate/contract';

export interface ResultGroup {
  /** Empty for successes. */
  readonly reason: LogReason | '';
  readonly results: readonly TestResult[];
}

/** Results by failure reason, largest group first; successes come last. */
export function groupResults(results: readonly TestResult[]): readonly ResultGroup[] {
  const groups = Map.groupBy(results, ({ reason }) => reason);
  return [...groups]
    .map(([reason, group]) => ({ reason, results: group.toSorted((one, other) => one.name.localeCompare(other.name)) }))
    .sort((one, other) => rank(one) - rank(other));
}

const rank = ({ reason, results }: ResultGroup): number => (reason === '' ? 1 : -results.length);
