import { runProgram } from '../../process/run-program.ts';

/** A line sent to the program: the kind of fault, and how often it occurs. */
export type CrashCommand = `${'throw' | 'reject'} ${number}`;

/** Starts the server; every input line triggers a fault. */
await runProgram();
process.stdin.setEncoding('utf8').on('data', (line: string) => {
  const [kind, times = '1'] = line.trim().split(' ');
  for (let index = 0; index < Number(times); index += 1) {
    const fault = new Error(`planted fault ${index}`);
    if (kind === 'reject') void Promise.reject(fault);
    else
      setImmediate(() => {
        throw fault;
      });
  }
});
