import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { repositoryRoot } from './repository.ts';

/** Tools that the scripts run, by npm package; all of them are Node programs. */
const toolPackages = {
  biome: '@biomejs/biome',
  knip: 'knip',
  playwright: '@playwright/test',
  tsc: 'typescript',
  vite: 'vite',
  vitepress: 'vitepress',
  vitest: 'vitest',
} as const;

type Tool = keyof typeof toolPackages;

interface ToolOptions {
  readonly folder?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

export interface ToolResult {
  readonly exitCode: number;
  /** Combined output of both streams, in order of arrival. */
  readonly output: string;
}

/** Runs a tool and captures its output. */
export function runCaptured(tool: Tool, parameters: readonly string[], options: ToolOptions = {}): Promise<ToolResult> {
  const child = spawn(process.execPath, [toolFile(tool), ...parameters], {
    cwd: options.folder ?? repositoryRoot,
    env: { ...process.env, ...colorEnvironment(), ...options.environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ exitCode: code ?? 1, output }));
  });
}

/** Runs a tool with output to the terminal; returns its exit code. */
export function runInTerminal(tool: Tool, parameters: readonly string[], options: ToolOptions = {}): Promise<number> {
  const child = spawn(process.execPath, [toolFile(tool), ...parameters], {
    cwd: options.folder ?? repositoryRoot,
    env: { ...process.env, ...options.environment },
    stdio: 'inherit',
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve(code ?? 1));
  });
}

/** Some tools write colors to files and pipes unless disabled. */
export function colorEnvironment(): Record<string, string> {
  return process.stdout.isTTY ? { FORCE_COLOR: '1' } : { NO_COLOR: '1' };
}

/** The tool's own file rather than its link in `.bin`, which on Windows is not a Node program. */
export function toolFile(tool: Tool): string {
  const manifest = join(repositoryRoot, 'node_modules', toolPackages[tool], 'package.json');
  const { bin } = JSON.parse(readFileSync(manifest, 'utf8')) as { bin: string | Record<string, string> };
  const file = typeof bin === 'string' ? bin : bin[tool];
  if (file === undefined) throw new Error(`${toolPackages[tool]} has no program "${tool}".`);
  return join(dirname(manifest), file);
}
