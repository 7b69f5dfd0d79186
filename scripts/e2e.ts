import { join } from 'node:path';
import { buildPackage } from './package/make-package.ts';
import { repositoryRoot } from './repository.ts';
import { runInTerminal } from './tool.ts';

// Includes the console; one journey uses the package.
await buildPackage();
const parameters = ['test', ...process.argv.slice(2)];
process.exitCode = await runInTerminal('playwright', parameters, { folder: join(repositoryRoot, 'packages/e2e') });
