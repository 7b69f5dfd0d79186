import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { loadScreen, withTimeout } from './lazy-screen.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

test('[S9.10] fails if a screen does not load within 120 seconds', async () => {
  const outcome = withTimeout(() => new Promise(() => undefined)).catch((error: unknown) => error);
  const settled = vi.fn();
  void outcome.then(settled);
  await vi.advanceTimersByTimeAsync(119_999);
  expect(settled).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(await outcome).toEqual(new Error('The page took too long to load'));
});

test('clears its timer after a screen has loaded', async () => {
  await expect(withTimeout(async () => 'screen')).resolves.toBe('screen');
  expect(vi.getTimerCount()).toBe(0);
});

test("replaces the browser's error for a missing file, so that the router does not reload the page", async () => {
  const words = 'Failed to fetch dynamically imported module: /assets/page.js';
  const failure = await loadScreen(() => Promise.reject(new TypeError(words))).catch((error: unknown) => error);
  expect(failure).toEqual(new Error(`No files: ${words}`));
});
