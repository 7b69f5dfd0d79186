import { expect, test } from 'vitest';
import { exportPauseMs } from './export-thread.ts';

test.each([
  [0, 0],
  [0.5, 0],
  [0.7, 110],
  [0.9, 220],
  [1, 220],
])('at a main-thread utilization of %d, an export pauses after 20 ms of work for %d ms', (utilization, rest) => {
  expect(exportPauseMs({ workedMs: 20, databaseMs: 0, passedMs: 20, utilization, processors: 2 })).toBeCloseTo(rest);
});

test('subtracts time spent waiting for a CPU core or the client from the pause', () => {
  const piece = { workedMs: 20, databaseMs: 0, utilization: 1, processors: 2 };
  expect(exportPauseMs({ ...piece, passedMs: 80 })).toBe(160);
  expect(exportPauseMs({ ...piece, passedMs: 500 })).toBe(0);
});

test('does not pause if there are enough CPU cores', () => {
  expect(exportPauseMs({ workedMs: 20, databaseMs: 0, passedMs: 20, utilization: 1, processors: 8 })).toBe(0);
});

test('limits the pause to one second, even after a long step', () => {
  expect(exportPauseMs({ workedMs: 60_000, databaseMs: 0, passedMs: 60_000, utilization: 1, processors: 1 })).toBe(
    1000,
  );
});

test.each([
  [5, 275],
  [20, 440],
  [500, 0],
])("counts database time up to the export's CPU time: %d ms", (databaseMs, rest) => {
  const passedMs = 20 + databaseMs;
  expect(exportPauseMs({ workedMs: 20, databaseMs, passedMs, utilization: 1, processors: 2 })).toBeCloseTo(rest);
});
