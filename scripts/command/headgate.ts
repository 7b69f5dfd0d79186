import { readFileSync } from 'node:fs';
import { packageCommandPrefix } from '../../packages/server/src/platform/errors/command-line.ts';
import { endWithParent } from '../end-with-parent.ts';
import { type ProductCommand, productCommands } from './product-commands.ts';
import { runCommand } from './run-command.ts';

/** Programs of the package's `headgate` command, run in the Node that its launcher found. */
const programs: Readonly<Record<ProductCommand, () => Promise<unknown>>> = {
  start: async () => (await import('../../packages/server/src/process/run-program.ts')).runProgram(),
  passwd: () => import('../../packages/server/src/commands/passwd.ts'),
  audit: () => import('../../packages/server/src/commands/audit.ts'),
  import: () => import('../../packages/server/src/commands/import.ts'),
  export: () => import('../../packages/server/src/commands/export.ts'),
  restore: () => import('../../packages/server/src/commands/restore.ts'),
  backup: () => import('../../packages/server/src/commands/backup.ts'),
  plan: () => import('../../packages/server/src/commands/plan.ts'),
  apply: () => import('../../packages/server/src/commands/apply.ts'),
  schema: () => import('../../packages/server/src/commands/schema.ts'),
  'dump-config': () => import('../../packages/server/src/commands/dump-config.ts'),
  demo: () => import('../demo/run-demo.ts'),
  doctor: () => import('../../packages/server/src/commands/doctor.ts'),
  systemd: () => import('../../packages/server/src/commands/systemd.ts'),
  docs: () => import('../../packages/server/src/commands/docs.ts'),
};

/** Argument set by a launcher that waits for this process and cannot stop it when the launcher itself is killed. */
const hasLauncher = '--end-with-launcher';

const given = process.argv.slice(2);
const parameters = given[0] === hasLauncher ? given.slice(1) : given;
// Set by npm for its scripts.
if (given[0] === hasLauncher || process.env['npm_lifecycle_event'] !== undefined) endWithParent();
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};
await runCommand(parameters, {
  caller: packageCommandPrefix,
  version,
  commands: productCommands,
  run: (name) => programs[name as ProductCommand](),
});
