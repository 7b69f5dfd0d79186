import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Agent, fetch, type Response } from 'undici';
import type { DatabaseLocation } from '../../packages/server/src/platform/db/database.ts';
import { nodeFlags } from '../node-flags.ts';

export interface TimedResponse {
  readonly milliseconds: number;
  readonly data: unknown;
}

export interface StartOptions {
  readonly settings?: NodeJS.ProcessEnv;
  /** Node flags. */
  readonly flags?: readonly string[];
  /** Checkout of the server; default: this one. */
  readonly root?: string;
}

/**
 * Requests wait here for one of a few connections while the server is slow: one connection per request would overflow
 * the accept queue. Connecting may take long on a busy machine.
 */
const dispatcher = new Agent({ connections: 64, connect: { timeout: 60_000 } });

/** The real server in a separate process, with a signed-in user. */
export class BenchServer {
  /** Program to run. By default the same as `npm start`; the demo of the package runs its bundled file. */
  static program = fileURLToPath(new URL('../../packages/server/src/main.ts', import.meta.url));

  readonly #process: ChildProcess;
  readonly address: string;
  #cookie = '';

  private constructor(process: ChildProcess, address: string) {
    this.#process = process;
    this.address = address;
  }

  /** Session cookie of the signed-in user. */
  get cookie(): string {
    return this.#cookie;
  }

  get pid(): number {
    return this.#process.pid ?? 0;
  }

  static async start(
    { dataDir, databaseUrl }: DatabaseLocation,
    { settings, flags = [], root }: StartOptions = {},
  ): Promise<BenchServer> {
    const program = root === undefined ? BenchServer.program : join(root, 'packages/server/src/main.ts');
    const child = spawn(process.execPath, [...nodeFlags, ...flags, program], {
      env: {
        PORT: '0',
        SHUTDOWN_DRAIN_SECONDS: '0',
        DATA_DIR: dataDir,
        API_RATE_LIMIT: '0',
        ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
        ...settings,
      },
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    });
    const { stdout } = child;
    if (!stdout) throw new Error('The server has no output.');
    for await (const line of createInterface({ input: stdout })) {
      const address = / is ready at (http:\S+?)\.? /.exec(line)?.[1];
      if (address === undefined) continue;
      // The output must be read, otherwise the server blocks.
      stdout.resume();
      return new BenchServer(child, address);
    }
    throw new Error('the server stopped before it was ready; its message is above.');
  }

  async signIn(username: string, password: string): Promise<void> {
    const response = await this.#fetch('POST', '/api/user/login', { username, password });
    this.#cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    await this.call('GET', '/api/user/self');
  }

  /** The same server with another signed-in user. */
  async signedIn(username: string, password: string): Promise<BenchServer> {
    const other = new BenchServer(this.#process, this.address);
    await other.signIn(username, password);
    return other;
  }

  /** Time of a call until its last byte, measured by the client. */
  async call(method: string, path: string, body?: object): Promise<TimedResponse> {
    const start = performance.now();
    const response = await this.#fetch(method, path, body);
    const { success, message, data } = (await response.json()) as Record<string, unknown>;
    const milliseconds = performance.now() - start;
    if (success !== true) throw new Error(`${method} ${path}: ${response.status} ${String(message)}`);
    return { milliseconds, data };
  }

  /** Longest pause since the previous call; only for a server started with `pause-watch.ts`. */
  async longestPause(): Promise<{ longest: number; longestWork: number }> {
    const pauseReport = once(this.#process, 'message') as Promise<[{ longest: number; longestWork: number }]>;
    this.#process.send('how long');
    return (await pauseReport)[0];
  }

  async stop(): Promise<void> {
    if (this.#process.exitCode !== null) return;
    this.#process.kill('SIGTERM');
    await once(this.#process, 'exit');
  }

  #fetch(method: string, path: string, body?: object): Promise<Response> {
    return fetch(new URL(path, this.address), {
      method,
      dispatcher,
      headers: { cookie: this.#cookie, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
  }
}
