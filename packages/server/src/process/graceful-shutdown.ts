import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { type Shutdown, shutdownStoreMs } from '../platform/runtime/shutdown.ts';
import { removeEarlyExitHandlers } from './early-exit.ts';
import type { ThisWorker } from './workers/this-worker.ts';
import type { WorkerCommand } from './workers/worker-metrics.ts';

interface Ending {
  readonly shutdown: Shutdown;
  /** How long the server keeps serving after SIGTERM, so that load balancers notice. */
  readonly drainMs: number;
  /** Lets in-flight requests finish within the grace period and settles them. */
  readonly close: () => Promise<void>;
  readonly graceMs: number;
  readonly logger: FastifyBaseLogger;
  /** Undefined for a single process. */
  readonly worker?: ThisWorker | undefined;
}

/**
 * Ends the process cleanly: exit code 0 after a signal, 1 after an uncaught exception, so that a supervisor restarts
 * it. SIGTERM drains first; Ctrl-C does not, because there is no load balancer. A second signal skips the wait. SIGHUP
 * replaces the workers. A single process treats SIGHUP like SIGTERM, so that its supervisor restarts it; repeated
 * SIGHUPs, as when a terminal closes, do not skip the wait. A worker follows commands from the primary and ignores
 * SIGINT and SIGHUP, because a signal to the process group reaches both.
 */
export function shutDownGracefully({ shutdown, drainMs, close, graceMs, logger, worker }: Ending): void {
  let signals = 0;
  let faults = 0;
  let isEnding = false;
  const exit = () => process.exit(faults === 0 ? 0 : 1);
  const giveUp = (fields: object) => {
    logger.fatal(fields, 'not everything could be stored in time; exiting anyway');
    process.exit(1);
  };
  const end = () => {
    if (isEnding) return;
    isEnding = true;
    shutdown.begin();
    setTimeout(() => giveUp({}), graceMs + shutdownStoreMs).unref();
    close().then(exit, (error: unknown) => giveUp({ err: error }));
  };
  const drain = async (isReplaced = false) => {
    if (!isReplaced) shutdown.endsWithSuccessor();
    if (shutdown.hasBegun) return;
    shutdown.begin({ isReplaced });
    logger.info({ seconds: drainMs / 1000 }, 'draining: serving until load balancers stop sending requests');
    await sleep(drainMs);
    end();
  };
  const onSignal = (signal: NodeJS.Signals) => {
    signals += 1;
    if (signals > 1) process.exit(1);
    if (signal === 'SIGTERM' && drainMs > 0) void drain();
    else end();
  };
  const orders: Readonly<Record<WorkerCommand, () => void>> = {
    drain: () => void drain(),
    close: end,
    'make room': () => void drain(true),
    stop: () => process.exit(1),
  };
  const onFault = (error: unknown) => {
    faults += 1;
    // Later exceptions usually follow from the first, and there may be many of them.
    if (faults === 1) logger.fatal({ err: error }, 'uncaught exception; shutting down');
    end();
  };
  if (worker) {
    worker.onOrder((order) => orders[order]());
    process.on('SIGTERM', orders.drain);
    process.on('SIGINT', () => undefined);
    process.on('SIGHUP', () => undefined);
  } else {
    process.on('SIGTERM', onSignal);
    process.on('SIGINT', onSignal);
    process.on('SIGHUP', orders.drain);
  }
  removeEarlyExitHandlers();
  process.on('uncaughtException', onFault);
  process.on('unhandledRejection', onFault);
}
