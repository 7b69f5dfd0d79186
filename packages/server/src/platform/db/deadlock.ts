const deadlockDetected = '40P01';

/** True if PostgreSQL aborted a transaction because of a deadlock. */
export const isDeadlock = (error: unknown): boolean =>
  error instanceof Error && (error as Error & { code?: unknown }).code === deadlockDetected;
