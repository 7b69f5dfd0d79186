import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseJson } from '../packages/dialects/src/index.ts';

export interface TestCounts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** Titles of passed tests that needed a retry. */
  readonly flaky: readonly string[];
}

/** The used part of Vitest's JSON report. */
interface VitestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  readonly testResults: readonly {
    readonly name: string;
    /** Milliseconds since 1970. */
    readonly startTime: number;
    readonly endTime: number;
    readonly status: string;
    readonly assertionResults: readonly { readonly status: string }[];
  }[];
}

/** The used part of Playwright's JSON report. */
interface PlaywrightReport {
  readonly stats: {
    readonly expected: number;
    readonly unexpected: number;
    readonly flaky: number;
    readonly skipped: number;
  };
  readonly suites?: readonly PlaywrightSuite[];
  readonly config?: { readonly rootDir?: string };
}

interface PlaywrightSuite {
  readonly file?: string;
  readonly specs?: readonly {
    readonly title: string;
    readonly tests: readonly {
      readonly status: string;
      /** One per attempt, with its duration in milliseconds. */
      readonly results?: readonly { readonly duration: number }[];
    }[];
  }[];
  readonly suites?: readonly PlaywrightSuite[];
}

export const noTests: TestCounts = { passed: 0, failed: 0, skipped: 0, flaky: [] };

export function vitestCounts(reportFile: string, exitCode: number): TestCounts {
  const report = readReport<VitestReport>(reportFile);
  if (report === undefined) return { ...noTests, failed: 1 };
  // A file that breaks before its first test fails without a failed test.
  const brokenFiles = report.testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((assertion) => assertion.status === 'failed'),
  );
  const counts = {
    passed: report.numPassedTests,
    failed: report.numFailedTests + brokenFiles.length,
    skipped: report.numPendingTests + report.numTodoTests,
    flaky: [],
  };
  return honest(counts, exitCode);
}

export interface FileTime {
  readonly file: string;
  readonly seconds: number;
}

/** Slowest test files first; a file that runs on two databases counts once for each. */
export function slowestFiles(reportFile: string, count: number): readonly FileTime[] {
  const files = readReport<VitestReport>(reportFile)?.testResults ?? [];
  return slowest(
    files.map(({ name, startTime, endTime }) => ({ file: name, seconds: (endTime - startTime) / 1000 })),
    count,
  );
}

/** Slowest journey files first. */
export function slowestJourneys(reportFile: string, count: number): readonly FileTime[] {
  const { suites = [], config } = readReport<PlaywrightReport>(reportFile) ?? {};
  const folder = config?.rootDir ?? '';
  return slowest(
    suites.map((suite) => ({ file: join(folder, suite.file ?? ''), seconds: millisecondsOf(suite) / 1000 })),
    count,
  );
}

const slowest = (times: readonly FileTime[], count: number): readonly FileTime[] =>
  times.toSorted((one, other) => other.seconds - one.seconds).slice(0, count);

function millisecondsOf({ specs = [], suites = [] }: PlaywrightSuite): number {
  const results = specs.flatMap(({ tests }) => tests.flatMap((test) => test.results ?? []));
  const own = results.reduce((total, { duration }) => total + duration, 0);
  return suites.reduce((total, suite) => total + millisecondsOf(suite), own);
}

/** A test that passed on retry counts as passed and is listed, because it must be fixed. */
export function playwrightCounts(reportFile: string, exitCode: number): TestCounts {
  const report = readReport<PlaywrightReport>(reportFile);
  if (report === undefined) return { ...noTests, failed: 1 };
  const { expected, unexpected, flaky, skipped } = report.stats;
  const counts = { passed: expected + flaky, failed: unexpected, skipped, flaky: flakyTitles(report.suites) };
  return honest(counts, exitCode);
}

function flakyTitles(suites: readonly PlaywrightSuite[] = []): string[] {
  return suites.flatMap((suite) => [
    ...(suite.specs ?? [])
      .filter(({ tests }) => tests.some(({ status }) => status === 'flaky'))
      .map(({ title }) => title),
    ...flakyTitles(suite.suites),
  ]);
}

/** A run that failed, or ran no test, has at least one failure. */
function honest(counts: TestCounts, exitCode: number): TestCounts {
  const isHollow = counts.passed === 0 && counts.failed === 0;
  return exitCode !== 0 || isHollow ? { ...counts, failed: Math.max(counts.failed, 1) } : counts;
}

/** Undefined if the run was aborted before its report was complete. */
function readReport<Report>(file: string): Report | undefined {
  return existsSync(file) ? (parseJson(readFileSync(file, 'utf8')) as Report | undefined) : undefined;
}
