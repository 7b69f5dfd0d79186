import { readProcessConfig } from '../config.ts';
import { StartFailure } from '../platform/errors/start-failure.ts';
import { createLogger } from '../platform/logging/log-lines.ts';
import { exitOnSignalDuringStart } from './early-exit.ts';

/**
 * Resolves once requests are served. Start failures are printed and end the process. A primary with several workers
 * serves no requests and does not load the server code.
 */
export async function runProgram(): Promise<void> {
  exitOnSignalDuringStart();
  try {
    const config = readProcessConfig();
    const worker = config.workers > 1 ? await import('./workers/this-worker.ts') : undefined;
    if (worker?.isPrimary) {
      const { runPrimary } = await import('./workers/run-primary.ts');
      return await runPrimary(config, createLogger(config.logLevel));
    }
    const { startNode } = await import('./run-server.ts');
    await startNode(config, worker?.thisWorker);
  } catch (error) {
    if (!(error instanceof StartFailure)) throw error;
    process.stderr.write(`headgate: ${error.message}\n`);
    process.exit(1);
  }
}
