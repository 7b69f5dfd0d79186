import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { readConfig } from '../config.ts';
import { makeTemporaryFolder } from '../testing/temporary-folder.ts';
import { systemdUnit, unitWarning } from './systemd-unit.ts';

const globalInstallation = {
  command: ['/usr/local/bin/headgate'],
  documentation: '/usr/local/lib/node_modules/headgate/README.md',
};

const execStartOf = (unit: string) => /^ExecStart=(.*)$/m.exec(unit)?.[1];

it('generates deploy/systemd/headgate.service for a global installation', () => {
  const file = join(import.meta.dirname, '../../../../deploy/systemd/headgate.service');
  expect(readFileSync(file, 'utf8')).toBe(systemdUnit(globalInstallation));
});

it('quotes paths for systemd', () => {
  const command = ['/opt/my node/bin/node', '--flag=1', '/srv/100%/$x/headgate.js'];
  expect(execStartOf(systemdUnit({ ...globalInstallation, command }))).toBe(
    '"/opt/my node/bin/node" --flag=1 /srv/100%%/$$x/headgate.js start',
  );
});

it('waits longer for a stop than the shutdown takes', () => {
  const { shutdownDrainMs, shutdownGraceMs } = readConfig({});
  const seconds = Number(/^TimeoutStopSec=(\d+)$/m.exec(systemdUnit(globalInstallation))?.[1]);
  expect(seconds).toBeGreaterThanOrEqual((shutdownDrainMs + shutdownGraceMs) / 1000 + 10);
});

it.each([
  ['/usr/local/lib/node_modules/headgate/server/lib/headgate.js', undefined],
  ['/root/.npm/_npx/1f/node_modules/headgate/server/lib/headgate.js', 'npm install --global'],
  ['/home/ann/.nvm/lib/node_modules/headgate/server/lib/headgate.js', 'ProtectHome'],
  ['/homes/headgate.js', undefined],
])('warns about programs that the service cannot start: %s', (program, warning) => {
  if (warning === undefined) expect(unitWarning(program)).toBeUndefined();
  else expect(unitWarning(program)).toContain(warning);
});

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;

it.skipIf(!hasSystemd)('passes systemd-analyze verify', () => {
  const folder = makeTemporaryFolder('headgate-unit-');
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'headgate.service');
  writeFileSync(file, systemdUnit({ ...globalInstallation, command: [process.execPath] }));
  const { status, stdout, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', file], { encoding: 'utf8' });
  const complaints = `${stdout}${stderr}`.split('\n').filter((line) => line.includes('headgate.service'));
  expect({ status, complaints }).toEqual({ status: 0, complaints: [] });
});
