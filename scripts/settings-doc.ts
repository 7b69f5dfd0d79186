import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from './repository.ts';
import { settingsPage } from './settings/settings-page.ts';

writeFileSync(join(repositoryRoot, 'docs/settings.md'), settingsPage());
