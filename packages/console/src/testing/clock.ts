import { expect, vi } from 'vitest';

const realSetTimeout = globalThis.setTimeout;
const timeoutMs = 60_000;
const pollMs = 10;
const nestedTimers = 3;

/** Fakes the console's clock: timers run only when a test advances it. */
export function stopClock(): void {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
}

/** Advances the fake clock. */
export async function advanceTime(milliseconds: number): Promise<void> {
  // Timers of rendered components must be started before the clock is advanced.
  await effectsHaveRun();
  await vi.advanceTimersByTimeAsync(milliseconds);
  await effectsHaveRun();
}

/** React renders in one `setImmediate` callback and runs effects in another. */
async function effectsHaveRun(): Promise<void> {
  for (let round = 0; round < 3; round += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** Waits for a condition with a fake clock: responses arrive, and only due timers run. */
export async function expectWithoutDelay(find: () => unknown): Promise<void> {
  const giveUp = performance.now() + timeoutMs;
  // Not expect.poll, which advances a fake clock with each attempt.
  for (let round = 0; !find(); round += 1) {
    if (performance.now() > giveUp) expect(find()).toBeTruthy();
    // A nested timer without a delay is due one millisecond later.
    vi.advanceTimersByTime(round < nestedTimers ? 1 : 0);
    await new Promise((resolve) => realSetTimeout(resolve, pollMs));
  }
}
