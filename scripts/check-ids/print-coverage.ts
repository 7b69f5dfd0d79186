import { repositoryRoot } from '../repository.ts';
import { type CheckList, miscount } from './check-lists.ts';
import { provenSections } from './proofs.ts';

/** Tells which checks of a list are named by tests and which are not; `--json` for programs. */
export function printCoverage(list: CheckList): void {
  const fault = miscount(repositoryRoot, list);
  if (fault) throw new Error(fault);
  const sections = provenSections(repositoryRoot, list);
  const proven = sections.reduce((sum, section) => sum + section.proven, 0);
  const total = sections.reduce((sum, section) => sum + section.total, 0);
  if (process.argv.includes('--json')) {
    console.log(JSON.stringify({ proven, total, sections }, null, 2));
    return;
  }
  for (const section of sections) {
    console.log(`${section.section}: ${section.proven} of ${section.total} proven`);
    for (const { id, text } of section.unproven) console.log(`  ${id} ${text}`);
  }
  console.log(`In all: ${proven} of ${total} proven`);
}
