import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { loadScreen, withTimeout } from './lazy-screen.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

test('[S9.10] fails if a screen does not load within 120 seconds', async () => {
  const failed = vi.fn();
  void loadScreen(() => new Promise(() => undefined)).catch(failed);
  await vi.advanceTimersByTimeAsync(119_999);
  expect(failed).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(failed.mock.calls).toEqual([[new Error('No files: The page took too long to load')]]);
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
