import { join } from 'node:path';
import { buildConsoleIfStale } from './console-build.ts';
import { repositoryRoot } from './repository.ts';
import { runAloud } from './tool.ts';

await buildConsoleIfStale();
const parameters = ['test', ...process.argv.slice(2)];
process.exitCode = await runAloud('playwright', parameters, { folder: join(repositoryRoot, 'packages/e2e') });
