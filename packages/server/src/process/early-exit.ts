const signals = ['SIGTERM', 'SIGINT'] as const;

const leave = () => process.exit(0);

/**
 * Exits immediately on a signal during the start. Without this, the first process of a container would ignore it
 * while it waits for its database, as PID 1 has no default signal handlers.
 */
export function exitWhileStarting(): void {
  for (const signal of signals) process.on(signal, leave);
}

/** Call only after other signal handlers are installed; a signal in between would be lost. */
export function stopExitingEarly(): void {
  for (const signal of signals) process.off(signal, leave);
}
