import { repositoryRoot } from '../repository.ts';
import type { CheckList } from './check-lists.ts';
import { idFaults, isUncovered, type ProvenCheck, provenSections } from './proofs.ts';

const provenWidth = 110;

/**
 * For each check, prints the test that covers it, the decision that deviates from it, or "missing". `--json` prints
 * JSON. Fails on a missing check or an invalid id.
 */
export function printCoverage(list: CheckList): void {
  const faults = idFaults(repositoryRoot);
  const sections = provenSections(repositoryRoot, list);
  const checks = sections.flatMap((section) => section.checks);
  const open = checks.filter(isUncovered);
  process.exitCode = faults.length === 0 && open.length === 0 ? 0 : 1;
  if (process.argv.includes('--json')) {
    console.log(JSON.stringify({ total: checks.length, open: open.map(({ id }) => id), faults, sections }, null, 2));
    return;
  }
  for (const { section, checks } of sections) {
    console.log(`\n${section}`);
    console.log(row('', 'proven by', 'decision', 'nothing'));
    for (const check of checks) console.log(rowOf(check));
  }
  const decided = checks.filter(({ decision }) => decision !== undefined);
  const proven = checks.length - decided.length - open.length;
  console.log(`\n${checks.length} checks: ${proven} proven, ${decided.length} decided, ${open.length} nothing.`);
  for (const { id, decision, text } of decided) console.log(`  ${id} decision ${decision}: ${text}`);
  for (const { id, text } of open) console.log(`  ${id} nothing: ${text}`);
  for (const fault of faults) console.log(`  ${fault}`);
}

function rowOf(check: ProvenCheck): string {
  const [first = '', ...more] = check.provenBy;
  const others = more.length === 0 ? '' : ` (+${more.length})`;
  const room = provenWidth - others.length;
  const cut = first.length > room ? `${first.slice(0, room - 1)}…` : first;
  return row(check.id, cut + others, check.decision ?? '', isUncovered(check) ? 'nothing' : '');
}

const row = (id: string, provenBy: string, decision: string, nothing: string): string =>
  `  ${id.padEnd(7)} ${provenBy.padEnd(provenWidth)} ${decision.padEnd(9)} ${nothing}`.trimEnd();
