import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { idFaults } from './check-ids/proofs.ts';
import { checkHouseRules } from './house-rules/house-rules.ts';
import { repositoryRoot } from './repository.ts';
import { runCaptured, type ToolResult } from './tool.ts';

interface StepResult {
  readonly name: string;
  readonly hasPassed: boolean;
  readonly seconds: number;
}

const steps: Readonly<Record<string, () => Promise<ToolResult>>> = {
  types: checkTypes,
  'format and lint': () =>
    runCaptured('biome', [
      'ci',
      '--error-on-warnings',
      '--max-diagnostics=100',
      `--colors=${process.stdout.isTTY ? 'force' : 'off'}`,
      '.',
    ]),
  'dead code': () => runCaptured('knip', []),
  'house rules': async () => {
    const { violations } = checkHouseRules(repositoryRoot);
    return complaints(violations.map(({ file, line, rule, message }) => `${file}:${line} ${rule}: ${message}`));
  },
  'check ids': async () => complaints(idFaults(repositoryRoot)),
};

/** Runs all checks in parallel and prints each result; failures with their output. */
export function runCheckSteps(): Promise<StepResult[]> {
  return Promise.all(Object.entries(steps).map(([name, run]) => runStep(name, run)));
}

async function runStep(name: string, run: () => Promise<ToolResult>): Promise<StepResult> {
  const start = performance.now();
  const { exitCode, output } = await run().catch((error: unknown) => ({ exitCode: 1, output: String(error) }));
  const hasPassed = exitCode === 0;
  const seconds = (performance.now() - start) / 1000;
  console.log(`${hasPassed ? 'ok    ' : 'FAILED'} ${name} (${seconds.toFixed(1)} s)`);
  if (!hasPassed) console.log(output.trimEnd());
  return { name, hasPassed, seconds };
}

function complaints(lines: readonly string[]): ToolResult {
  return { exitCode: lines.length === 0 ? 0 : 1, output: lines.join('\n') };
}

async function checkTypes(): Promise<ToolResult> {
  const results = await Promise.all(typeProjects().map(checkProjectTypes));
  const failed = results.filter(({ exitCode }) => exitCode !== 0);
  return { exitCode: failed.length === 0 ? 0 : 1, output: failed.map(({ output }) => output).join('') };
}

function checkProjectTypes(project: string): Promise<ToolResult> {
  // One checker, because the other steps use the other cores. With the build info a second run takes a third of the
  // time.
  const memory = `node_modules/.cache/tsc/${project.replaceAll('/', '-')}.tsbuildinfo`;
  return runCaptured('tsc', ['-p', project, '--checkers', '1', '--incremental', '--tsBuildInfoFile', memory]);
}

/** The root project, and those of packages with other options; the root project checks the sources of all others. */
function typeProjects(): string[] {
  const { include } = JSON.parse(readFileSync(join(repositoryRoot, 'tsconfig.json'), 'utf8')) as { include: string[] };
  const packages = readdirSync(join(repositoryRoot, 'packages')).map((name) => `packages/${name}`);
  const others = packages.filter((folder) => !include.includes(`${folder}/src`));
  return ['tsconfig.json', ...others.map((folder) => `${folder}/tsconfig.json`)];
}
