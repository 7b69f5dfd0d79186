import type { FastifyBaseLogger } from 'fastify';

/** After the grace of running requests, for their charges and whatever else has to be stored. */
const storingMs = 10_000;

interface Ending {
  /** Lets running requests finish within their grace, and settles them. */
  readonly close: () => Promise<void>;
  readonly graceMs: number;
  readonly logger: FastifyBaseLogger;
}

/**
 * Ends the process in good order: after a signal well, and after a fault that nobody caught with 1, so that a supervisor
 * starts it anew. The second signal does not wait.
 */
export function endInOrder({ close, graceMs, logger }: Ending): void {
  let signals = 0;
  let faults = 0;
  let isEnding = false;
  const exit = () => process.exit(faults === 0 ? 0 : 1);
  const end = () => {
    if (isEnding) return;
    isEnding = true;
    setTimeout(() => process.exit(1), graceMs + storingMs).unref();
    close().then(exit, () => process.exit(1));
  };
  const onSignal = () => {
    signals += 1;
    if (signals > 1) process.exit(1);
    end();
  };
  const onFault = (error: unknown) => {
    faults += 1;
    // What follows is mostly its echo, and may come without end.
    if (faults === 1) logger.fatal({ err: error }, 'a fault that nobody caught; the server ends');
    end();
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  process.on('uncaughtException', onFault);
  process.on('unhandledRejection', onFault);
}
