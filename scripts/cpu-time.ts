import { readFileSync } from 'node:fs';

/** Processor time of this process and of all its children that have ended, in seconds; undefined where Linux does not report it. */
export function cpuSecondsSoFar(): number | undefined {
  try {
    // After the name, which may hold spaces: user, system, and both of the children, in hundredths of a second.
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return fields.slice(11, 15).reduce((total, ticks) => total + Number(ticks) / 100, 0);
  } catch {
    return undefined;
  }
}
