import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { providersPage } from './providers-table.ts';
import { repositoryRoot } from './repository.ts';

writeFileSync(join(repositoryRoot, 'docs/providers.md'), providersPage());
