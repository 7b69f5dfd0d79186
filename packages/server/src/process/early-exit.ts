const signals = ['SIGTERM', 'SIGINT'] as const;

const leave = () => process.exit(0);

/**
 * Exits immediately on a signal during startup. PID 1 of a container has no default signal handlers, so without this
 * it would ignore signals while it waits for the database.
 */
export function exitWhileStarting(): void {
  for (const signal of signals) process.on(signal, leave);
}

/** Call only after other signal handlers are installed; a signal in between would be lost. */
export function stopExitingEarly(): void {
  for (const signal of signals) process.off(signal, leave);
}
