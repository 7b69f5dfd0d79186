import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { bundledProgram, compileCache, shortRunFlags } from '@headgate/testkit';

export interface ProgramOptions {
  readonly environment?: Readonly<Record<string, string>>;
  readonly workingDirectory?: string;
}

export interface ProgramExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A program in a separate process, with only the given environment and the compile cache folder. */
export class Program {
  readonly process: ChildProcessWithoutNullStreams;
  readonly exit: Promise<ProgramExit>;
  #stdout = '';
  #stderr = '';
  readonly #watchers = new Set<() => void>();

  constructor(command: string, args: readonly string[], { environment = {}, workingDirectory }: ProgramOptions = {}) {
    this.process = spawn(command, args, {
      env: { NODE_COMPILE_CACHE: compileCache, ...environment },
      cwd: workingDirectory,
    });
    this.process.stdout.setEncoding('utf8').on('data', (text: string) =>
      this.#receive(() => {
        this.#stdout += text;
      }),
    );
    this.process.stderr.setEncoding('utf8').on('data', (text: string) =>
      this.#receive(() => {
        this.#stderr += text;
      }),
    );
    this.exit = new Promise((resolve) => {
      this.process.on('close', (code, signal) => resolve({ code, signal, stdout: this.#stdout, stderr: this.#stderr }));
    });
  }

  /** Complete lines of standard output so far. */
  get lines(): readonly string[] {
    return this.#stdout.split('\n').slice(0, -1);
  }

  /** Standard output so far. */
  get output(): string {
    return this.#stdout;
  }

  /** Waits until standard output matches. */
  async message(pattern: RegExp): Promise<void> {
    await this.#until(() => (pattern.test(this.#stdout) ? true : undefined), pattern);
  }

  /** First line that matches, now or later; fails if the program ends without one. */
  line(pattern: RegExp): Promise<string> {
    return this.#until(() => this.lines.find((line) => pattern.test(line)), pattern);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.process.kill('SIGKILL');
    await this.exit;
  }

  async #until<T>(find: () => T | undefined, pattern: RegExp): Promise<T> {
    const found = Promise.withResolvers<T>();
    const look = () => {
      const result = find();
      if (result !== undefined) found.resolve(result);
    };
    this.#watchers.add(look);
    look();
    const ended = this.exit.then(({ code, stderr }) => {
      throw new Error(`The program ended (${code}) and never said ${pattern}: ${stderr}`);
    });
    return Promise.race([found.promise, ended]).finally(() => this.#watchers.delete(look));
  }

  #receive(append: () => void): void {
    append();
    for (const look of this.#watchers) look();
  }
}

/** A program of this package; `file` is relative to `packages/server/src` and listed in `scripts/test-programs.ts`. */
export const runFile = (file: string, args: readonly string[] = [], options: ProgramOptions = {}): Program =>
  new Program(process.execPath, [...shortRunFlags, bundledProgram(file), ...args], options);

/** Runs the program on a pseudo-terminal, with both output streams combined. */
export const runFileOnTerminal = (
  file: string,
  args: readonly string[] = [],
  options: ProgramOptions = {},
): Program => {
  const command = [process.execPath, ...shortRunFlags, bundledProgram(file), ...args]
    .map((word) => `'${word}'`)
    .join(' ');
  return new Program('/usr/bin/script', ['--quiet', '--flush', '--return', '--command', command, '/dev/null'], options);
};

/** Starts the server, by default on a free port and without drain time. */
export const startServer = (environment: Readonly<Record<string, string>>, workingDirectory?: string): Program =>
  runFile('main.ts', [], {
    environment: { PORT: '0', SHUTDOWN_DRAIN_SECONDS: '0', ...environment },
    ...(workingDirectory !== undefined && { workingDirectory }),
  });

/** URL of a started server, once it is ready. */
export async function addressOf(server: Program): Promise<string> {
  const line = await server.line(/ is ready at /);
  return /http:\/\/\S+:\d+/.exec(line)?.[0] ?? '';
}
