import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { runCheckSteps } from './check-steps.ts';
import { ensureChromium } from './chromium.ts';
import { buildConsoleIfStale, distFolder } from './console-build.ts';
import { describeSize, measureConsole } from './console-size.ts';
import { buildPackage } from './package/make-package.ts';
import { ensurePostgresBinaries } from './postgres/postgres-binaries.ts';
import { repositoryRoot } from './repository.ts';
import {
  type FileTime,
  noTests,
  playwrightCounts,
  slowestFiles,
  slowestJourneys,
  type TestCounts,
  vitestCounts,
} from './test-counts.ts';
import { colorEnvironment, runCaptured, runInTerminal, type ToolResult } from './tool.ts';

export interface StageResult extends TestCounts {
  readonly name: string;
  readonly seconds: number;
  /** CPU time, where known. */
  readonly cpuSeconds?: number | undefined;
}

/** Runs every stage, even after a failed one. */
export async function runAllStages(): Promise<StageResult[]> {
  const reports = mkdtempSync(join(tmpdir(), 'headgate-reports-'));
  try {
    return [
      ...(await checks()),
      await stage('PostgreSQL', () => prepare(providePostgres)),
      await stage('Chromium', () => prepare(ensureChromium)),
      ...(await tests(reports)),
    ];
  } finally {
    rmSync(reports, { recursive: true, force: true });
  }
}

async function checks(): Promise<StageResult[]> {
  const start = performance.now();
  const cpuBefore = cpuSecondsSoFar();
  const results = await runCheckSteps();
  const steps = results.map(({ name, hasPassed, seconds }) => ({
    ...noTests,
    name,
    passed: hasPassed ? 1 : 0,
    failed: hasPassed ? 0 : 1,
    seconds,
  }));
  // Times of all steps together, because they run in parallel.
  return [...steps, { ...noTests, name: 'checks together', ...timesSince(start, cpuBefore) }];
}

/**
 * All tests run in parallel: those on PostgreSQL, of which many wait for other nodes and for processes, leave the cores
 * to the others and to builds and journeys.
 */
async function tests(reports: string): Promise<StageResult[]> {
  const start = performance.now();
  const cpuBefore = cpuSecondsSoFar();
  const [journeys, ...unitTests] = await Promise.all([
    buildsAndJourneys(join(reports, 'playwright.json')),
    stage('tests on PostgreSQL', () => runVitest(join(reports, 'postgres.json'), 'server-postgres')),
    stage('unit and API tests', () => runVitest(join(reports, 'vitest.json'), '!server-postgres', { isLive: true })),
  ]);
  // The CPU time of parallel stages is known only together.
  const withoutCpu = [...journeys, ...unitTests].map((result) => ({ ...result, cpuSeconds: undefined }));
  return [...withoutCpu, { ...noTests, name: 'tests together', ...timesSince(start, cpuBefore) }];
}

/** Journeys use the built console and the package; no other test does. */
async function buildsAndJourneys(report: string): Promise<StageResult[]> {
  return [
    await stage('console build', () => prepare(buildConsoleIfStale)),
    await stage('console size', measureSize),
    await stage('package', () => prepare(buildPackage)),
    await stage('browser journeys', () => runPlaywright(report)),
  ];
}

async function stage(name: string, run: () => Promise<TestCounts>): Promise<StageResult> {
  console.log(`\n── ${name}`);
  const start = performance.now();
  const cpuBefore = cpuSecondsSoFar();
  const counts = await run().catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    return { ...noTests, failed: 1 };
  });
  for (const title of counts.flaky) console.log(`flaky: ${title}`);
  return { name, ...counts, ...timesSince(start, cpuBefore) };
}

const timesSince = (start: number, cpuBefore: number | undefined) => ({
  seconds: (performance.now() - start) / 1000,
  cpuSeconds: cpuBefore === undefined ? undefined : (cpuSecondsSoFar() ?? 0) - cpuBefore,
});

/** Counts a preparation step only if it fails, as a failed test. */
async function prepare(make: () => unknown): Promise<TestCounts> {
  await make();
  return noTests;
}

function providePostgres(): void {
  if (!process.env['TEST_DATABASE_URL']) ensurePostgresBinaries();
}

async function measureSize(): Promise<TestCounts> {
  const promised = measureConsole(distFolder).filter(({ budget }) => budget !== undefined);
  for (const size of promised) console.log(describeSize(size));
  const failed = promised.filter(({ isOver }) => isOver).length;
  return { ...noTests, passed: promised.length - failed, failed };
}

/** Several stages run in parallel: one prints as it goes, the others at their end. */
async function runVitest(report: string, project: string, { isLive = false } = {}): Promise<TestCounts> {
  const options = ['run', '--project', project, '--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const exitCode = isLive
    ? await runInTerminal('vitest', options, { environment: colorEnvironment() })
    : printed(project, await runCaptured('vitest', options));
  printTimes('Slowest test files', slowestFiles(report, 20));
  return vitestCounts(report, exitCode);
}

function printed(title: string, { exitCode, output }: ToolResult): number {
  console.log(`\n── ${title}\n${output}`);
  return exitCode;
}

function printTimes(title: string, times: readonly FileTime[]): void {
  console.log(`\n${title}, in seconds:`);
  for (const { file, seconds } of times)
    console.log(`${seconds.toFixed(1).padStart(8)}  ${relative(repositoryRoot, file)}`);
}

/** One worker leaves the cores to the other tests, which take longer. */
async function runPlaywright(report: string): Promise<TestCounts> {
  const options = {
    folder: join(repositoryRoot, 'packages/e2e'),
    environment: { PLAYWRIGHT_JSON_OUTPUT_FILE: report },
  };
  const result = await runCaptured('playwright', ['test', '--workers=1', '--reporter=list,json'], options);
  const exitCode = printed('browser journeys', result);
  printTimes('Slowest browser journeys', slowestJourneys(report, 20));
  return playwrightCounts(report, exitCode);
}

/** CPU time of this process and its finished children, in seconds; undefined where Linux does not report it. */
function cpuSecondsSoFar(): number | undefined {
  try {
    // After the process name, which may contain spaces: user, system, and both for the children, in hundredths of a
    // second.
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return fields.slice(11, 15).reduce((total, ticks) => total + Number(ticks) / 100, 0);
  } catch {
    return undefined;
  }
}
