import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dialectsPage } from './dialects-table.ts';
import { repositoryRoot } from './repository.ts';

writeFileSync(join(repositoryRoot, 'docs/dialects.md'), dialectsPage());
