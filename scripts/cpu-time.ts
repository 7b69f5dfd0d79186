import { readFileSync } from 'node:fs';

/** CPU time of this process and its finished children, in seconds; undefined where Linux does not report it. */
export function cpuSecondsSoFar(): number | undefined {
  try {
    // After the process name, which may contain spaces: user, system, and both for the children, in hundredths of a
    // second.
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return fields.slice(11, 15).reduce((total, ticks) => total + Number(ticks) / 100, 0);
  } catch {
    return undefined;
  }
}
