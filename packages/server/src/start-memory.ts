/**
 * Starting takes memory that running never needs again, and an idle engine would keep it: it is given back at once,
 * where Node was started with `--expose-gc`. A collector that is fetched later, by way of another context, makes
 * everything afterwards a third slower.
 */
export function giveBackStartMemory(): void {
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
