import { fileURLToPath } from 'node:url';
import { Program } from './program.ts';

/** A server of a test's own that can lose its last commits. */
export interface ForgetfulPostgres {
  readonly url: string;
  /** Remembers everything as it is now; connections break. */
  keep(): Promise<void>;
  /** Crashes, and has lost everything since then. */
  lose(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

const script = fileURLToPath(new URL('../../../../scripts/postgres/forgetful-postgres.ts', import.meta.url));

export async function forgetfulPostgres(): Promise<ForgetfulPostgres> {
  const program = new Program(process.execPath, [script], { environment: { PATH: process.env['PATH'] ?? '' } });
  const line = await program.line(/^ready at /);
  let orders = 0;
  const obey = async (order: 'keep' | 'lose') => {
    orders += 1;
    program.process.stdin.write(`${order}\n`);
    await program.line(new RegExp(`^done ${orders}$`));
  };
  return {
    url: line.slice('ready at '.length),
    keep: () => obey('keep'),
    lose: () => obey('lose'),
    [Symbol.asyncDispose]: async () => {
      program.process.stdin.end();
      await program.exit;
    },
  };
}
