import { readFileSync } from 'node:fs';
import { type Finding, ok, warn } from './finding.ts';

/** Limit below which a warning is shown: each client uses one file, and each upstream another. */
const fewFiles = 4096;

/** Node version and limit of open files and connections. */
export function checkProcess(): readonly Finding[] {
  const node = ok('node', process.versions.node);
  const most = maxOpenFiles();
  return most === undefined ? [node] : [node, openFilesFinding(most)];
}

export function openFilesFinding(most: number): Finding {
  const says = `limit ${most === Number.POSITIVE_INFINITY ? 'unlimited' : most}`;
  if (most >= fewFiles) return ok('open files', says);
  return warn('open files', `${says}.`, 'Raise the limit: LimitNOFILE= in systemd, ulimit -n in a shell.');
}

/** Undefined where /proc does not exist. */
function maxOpenFiles(): number | undefined {
  try {
    const [, most] = /^Max open files +(\d+|unlimited) /m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    if (most === undefined) return undefined;
    return most === 'unlimited' ? Number.POSITIVE_INFINITY : Number(most);
  } catch {
    return undefined;
  }
}
