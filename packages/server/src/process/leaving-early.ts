const signals = ['SIGTERM', 'SIGINT'] as const;

const leave = () => process.exit(0);

/**
 * A process that is told to end before it serves just does. Without this the first process of a container would not hear of it
 * for as long as it waits for its database: the system ends that one by no signal it does not listen for.
 */
export function leaveWhileStarting(): void {
  for (const signal of signals) process.on(signal, leave);
}

/** To be called by whoever listens for signals already: one that comes while nobody listens is lost. */
export function startIsOver(): void {
  for (const signal of signals) process.off(signal, leave);
}
