import { spawnSync } from 'node:child_process';

/** Installs a package on Debian as root; does nothing elsewhere, or on failure. */
export function installDebianPackage(name: string): void {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return;
  console.log(`Installing ${name} with apt-get…`);
  const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const steps = [['update'], ['install', '-y', '--no-install-recommends', name]];
  // Another stage of the tests may be installing a package.
  const waiting = ['-o', 'DPkg::Lock::Timeout=300'];
  for (const step of steps) {
    const { status, stdout, stderr } = spawnSync('apt-get', [...waiting, ...step], {
      env: environment,
      encoding: 'utf8',
    });
    if (status === 0) continue;
    console.error(`${stdout ?? ''}${stderr ?? ''}`.trim().split('\n').slice(-10).join('\n'));
    return;
  }
}
