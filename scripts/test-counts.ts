import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseJson } from '../packages/dialects/src/index.ts';

export interface TestCounts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** Of those that passed, the titles of the ones that needed a second try. */
  readonly flaky: readonly string[];
}

/** What is used of Vitest's JSON report. */
interface VitestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  readonly testResults: readonly {
    readonly name: string;
    /** In milliseconds since 1970. */
    readonly startTime: number;
    readonly endTime: number;
    readonly status: string;
    readonly assertionResults: readonly { readonly status: string }[];
  }[];
}

/** What is used of Playwright's JSON report. */
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
      /** One for each attempt, with its milliseconds. */
      readonly results?: readonly { readonly duration: number }[];
    }[];
  }[];
  readonly suites?: readonly PlaywrightSuite[];
}

export const nothing: TestCounts = { passed: 0, failed: 0, skipped: 0, flaky: [] };

export function vitestCounts(reportFile: string, exitCode: number): TestCounts {
  const report = readReport<VitestReport>(reportFile);
  if (report === undefined) return { ...nothing, failed: 1 };
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

/** The test files that took longest, slowest first; a file that runs on two databases counts once for each. */
export function slowestFiles(reportFile: string, count: number): readonly FileTime[] {
  const files = readReport<VitestReport>(reportFile)?.testResults ?? [];
  return slowest(
    files.map(({ name, startTime, endTime }) => ({ file: name, seconds: (endTime - startTime) / 1000 })),
    count,
  );
}

/** The journey files that took longest, slowest first. */
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

/** A test that passed on its second try has passed, and is named: it may not stay so. */
export function playwrightCounts(reportFile: string, exitCode: number): TestCounts {
  const report = readReport<PlaywrightReport>(reportFile);
  if (report === undefined) return { ...nothing, failed: 1 };
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

/** A run that says it failed, or that ran nothing, has at least one failure. */
function honest(counts: TestCounts, exitCode: number): TestCounts {
  const isHollow = counts.passed === 0 && counts.failed === 0;
  return exitCode !== 0 || isHollow ? { ...counts, failed: Math.max(counts.failed, 1) } : counts;
}

/** Undefined when the run broke off before it wrote its report, or in the middle of it. */
function readReport<Report>(file: string): Report | undefined {
  return existsSync(file) ? (parseJson(readFileSync(file, 'utf8')) as Report | undefined) : undefined;
}
