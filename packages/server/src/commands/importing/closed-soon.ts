import { setTimeout as delay } from 'node:timers/promises';

const patienceMs = 1000;

/** Takes leave of a server; one that does not answer to that is left. */
export async function closedSoon(leave: Promise<unknown>, destroy: () => void): Promise<void> {
  const left = new AbortController();
  const leaving = leave.catch(() => undefined).then(() => left.abort());
  await Promise.race([leaving, delay(patienceMs, undefined, { signal: left.signal }).catch(() => undefined)]);
  destroy();
}
