import { readmeFile } from '../config.ts';
import { exitCodes, runMain } from './run-main.ts';
import { systemdUnit, unitWarning } from './systemd-unit.ts';

/** `headgate systemd`: prints a systemd unit for this installation. */
await runMain(() => {
  const [node = '', program = ''] = process.argv;
  const warning = unitWarning(program);
  if (warning !== undefined) process.stderr.write(`headgate: ${warning}\n`);
  process.stdout.write(systemdUnit({ command: [node, ...process.execArgv, program], documentation: readmeFile }));
  return exitCodes.done;
});
