import { expect, vi } from 'vitest';

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
export const expectAtOnce = (find: () => unknown) =>
  expect
    .poll(() => {
      vi.advanceTimersByTime(0);
      return find();
    })
    .toBeTruthy();
