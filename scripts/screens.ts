import { join } from 'node:path';
import { buildConsoleIfStale } from './console-build.ts';
import { repositoryRoot } from './repository.ts';
import { runInTerminal } from './tool.ts';

await buildConsoleIfStale();
const parameters = ['test', '--config', 'screens.config.ts', ...process.argv.slice(2)];
process.exitCode = await runInTerminal('playwright', parameters, { folder: join(repositoryRoot, 'packages/e2e') });
