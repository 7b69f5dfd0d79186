import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Starting takes memory that running never needs again, and an idle engine would keep it: it is given back at once. */
export function giveBackStartMemory(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as NodeJS.GCFunction;
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
