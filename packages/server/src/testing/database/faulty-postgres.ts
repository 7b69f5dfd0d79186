import { fileURLToPath } from 'node:url';
import { Program } from '../process/program.ts';

/** Fault names as in `scripts/postgres/postgres-faults.ts`. */
type PostgresFault = 'keep' | 'lose' | 'stop' | 'crash' | 'start' | 'freeze' | 'thaw' | 'copy' | 'failOver';

/** A dedicated server for a test, with fault injection. */
export interface FaultyPostgres {
  readonly url: string;
  /** Resolves when the fault has happened, with its details. */
  injectFault(fault: PostgresFault): Promise<string>;
  [Symbol.asyncDispose](): Promise<void>;
}

const script = fileURLToPath(new URL('../../../../../scripts/postgres/faulty-postgres.ts', import.meta.url));

export async function faultyPostgres(): Promise<FaultyPostgres> {
  const program = new Program(process.execPath, [script], { environment: { PATH: process.env['PATH'] ?? '' } });
  const line = await program.line(/^ready at /);
  let orders = 0;
  return {
    url: line.slice('ready at '.length),
    injectFault: async (fault) => {
      orders += 1;
      const begin = `done ${orders} `;
      program.process.stdin.write(`${fault}\n`);
      return (await program.line(new RegExp(`^${begin}`))).slice(begin.length);
    },
    [Symbol.asyncDispose]: async () => {
      program.process.stdin.end();
      await program.exit;
    },
  };
}
