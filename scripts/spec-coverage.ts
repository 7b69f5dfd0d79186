import { repositoryRoot } from './repository.ts';
import { specCheckCount } from './spec-ids/spec-checks.ts';
import { provenSections } from './spec-ids/spec-proofs.ts';

const sections = provenSections(repositoryRoot);
const proven = sections.reduce((sum, section) => sum + section.proven, 0);
const total = sections.reduce((sum, section) => sum + section.total, 0);
if (total !== specCheckCount) throw new Error(`docs/spec/checks.md has ${total} checks instead of ${specCheckCount}.`);

if (process.argv.includes('--json')) {
  console.log(JSON.stringify({ proven, total, sections }, null, 2));
} else {
  for (const section of sections) {
    console.log(`${section.section}: ${section.proven} of ${section.total} proven`);
    for (const { id, text } of section.unproven) console.log(`  ${id} ${text}`);
  }
  console.log(`In all: ${proven} of ${total} proven`);
}
