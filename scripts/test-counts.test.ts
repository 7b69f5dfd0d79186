import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { withPlantedTree } from './planted-tree.ts';
import { playwrightCounts, slowestFiles, slowestJourneys, type TestCounts, vitestCounts } from './test-counts.ts';

type Count = (reportFile: string, exitCode: number) => TestCounts;

const count = (read: Count, report: object | string, exitCode: number) =>
  withPlantedTree({ 'report.json': typeof report === 'string' ? report : JSON.stringify(report) }, (root) =>
    read(join(root, 'report.json'), exitCode),
  );

const vitest = {
  numPassedTests: 3,
  numFailedTests: 0,
  numPendingTests: 1,
  numTodoTests: 1,
  testResults: [] as object[],
};
const playwright = { expected: 3, unexpected: 0, flaky: 0, skipped: 2 };

describe('test run counts', () => {
  test('counts equal those in the report', () => {
    expect(count(vitestCounts, vitest, 0)).toEqual({ passed: 3, failed: 0, skipped: 2, flaky: [] });
    expect(count(vitestCounts, { ...vitest, numFailedTests: 2 }, 1)).toMatchObject({ passed: 3, failed: 2 });
    expect(count(playwrightCounts, { stats: playwright }, 0)).toEqual({ passed: 3, failed: 0, skipped: 2, flaky: [] });
    expect(count(playwrightCounts, { stats: { ...playwright, unexpected: 2 } }, 1)).toMatchObject({ failed: 2 });
  });

  test('a browser test that passes on retry counts as passed and is listed', () => {
    const specs = [
      { title: 'steady', tests: [{ status: 'expected' }] },
      { title: 'shaky', tests: [{ status: 'flaky' }] },
    ];
    const report = { stats: { ...playwright, flaky: 1 }, suites: [{ specs: [], suites: [{ specs }] }] };
    expect(count(playwrightCounts, report, 0)).toEqual({ passed: 4, failed: 0, skipped: 2, flaky: ['shaky'] });
    expect(count(playwrightCounts, { ...report, stats: { ...report.stats, unexpected: 1 } }, 1)).toMatchObject({
      passed: 4,
      failed: 1,
    });
  });

  test('lists the slowest journeys first, including all attempts', () => {
    const spec = (...durations: number[]) => ({
      title: '',
      tests: [{ status: 'expected', results: durations.map((duration) => ({ duration })) }],
    });
    const suites = [
      { file: 'a.e2e.ts', specs: [spec(700)] },
      { file: 'b.e2e.ts', specs: [spec(400)], suites: [{ specs: [spec(300, 200)] }] },
    ];
    const report = { stats: playwright, config: { rootDir: '/src' }, suites };
    const slowest = withPlantedTree({ 'report.json': JSON.stringify(report) }, (root) =>
      slowestJourneys(join(root, 'report.json'), 5),
    );
    expect(slowest).toEqual([
      { file: '/src/b.e2e.ts', seconds: 0.9 },
      { file: '/src/a.e2e.ts', seconds: 0.7 },
    ]);
  });

  test('lists the slowest files first', () => {
    const file = (name: string, endTime: number) => ({ name, startTime: 1000, endTime, assertionResults: [] });
    const report = { ...vitest, testResults: [file('a', 2000), file('b', 4500), file('c', 1100)] };
    const slowest = withPlantedTree({ 'report.json': JSON.stringify(report) }, (root) =>
      slowestFiles(join(root, 'report.json'), 2),
    );
    expect(slowest).toEqual([
      { file: 'b', seconds: 3.5 },
      { file: 'a', seconds: 1 },
    ]);
  });

  test('a file that breaks before its first test counts as one failure', () => {
    const testResults = [
      { status: 'failed', assertionResults: [] },
      { status: 'failed', assertionResults: [{ status: 'failed' }] },
      { status: 'passed', assertionResults: [{ status: 'passed' }] },
    ];
    expect(count(vitestCounts, { ...vitest, numFailedTests: 1, testResults }, 1)).toMatchObject({ failed: 2 });
  });

  test.for([
    ['vitest', vitestCounts, vitest],
    ['playwright', playwrightCounts, { stats: playwright }],
  ] as const)(
    '%s: a run that exits with an error, or with a missing or incomplete report, counts as failed',
    ([, read, report]) => {
      expect(count(read, report, 1)).toMatchObject({ passed: 3, failed: 1 });
      expect(read('/nowhere/report.json', 0)).toMatchObject({ passed: 0, failed: 1 });
      expect(count(read, '{"stats":', 0)).toMatchObject({ passed: 0, failed: 1 });
    },
  );

  test('a run without tests counts as failed', () => {
    expect(count(vitestCounts, { ...vitest, numPassedTests: 0 }, 0)).toMatchObject({ failed: 1 });
    expect(count(playwrightCounts, { stats: { ...playwright, expected: 0 } }, 0)).toMatchObject({ failed: 1 });
  });
});
