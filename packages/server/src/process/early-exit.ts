const signals = ['SIGTERM', 'SIGINT'] as const;

const exitNow = () => process.exit(0);

/**
 * Exits immediately on a signal during startup. PID 1 of a container has no default signal handlers, so without this it
 * would ignore signals while it waits for the database.
 */
export function exitOnSignalDuringStart(): void {
  for (const signal of signals) process.on(signal, exitNow);
}

/** Call only after other signal handlers are installed; a signal in between would be lost. */
export function removeEarlyExitHandlers(): void {
  for (const signal of signals) process.off(signal, exitNow);
}
