import { expect, vi } from 'vitest';

const realSetTimeout = globalThis.setTimeout;
const patienceMs = 60_000;
const pollMs = 10;
const nestedTimers = 3;

/** Stops the clock of the console: its timers run only when a test lets time pass. */
export function stopClock(): void {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
}

/** Lets time pass on the stopped clock. */
export async function passTime(milliseconds: number): Promise<void> {
  // Timers of what was just rendered must start before the time passes.
  await effectsHaveRun();
  await vi.advanceTimersByTimeAsync(milliseconds);
  await effectsHaveRun();
}

/** React renders in one immediate callback, and runs the effects in another. */
async function effectsHaveRun(): Promise<void> {
  for (let round = 0; round < 3; round += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** Waits for a condition while the clock stands still: replies arrive, and only timers that are due run. */
export async function expectAtOnce(find: () => unknown): Promise<void> {
  const giveUp = performance.now() + patienceMs;
  // Not expect.poll, which moves a stopped clock on with each attempt.
  for (let round = 0; !find(); round += 1) {
    if (performance.now() > giveUp) expect(find()).toBeTruthy();
    // A timer without a delay that another timer started is due a millisecond later.
    vi.advanceTimersByTime(round < nestedTimers ? 1 : 0);
    await new Promise((resolve) => realSetTimeout(resolve, pollMs));
  }
}
