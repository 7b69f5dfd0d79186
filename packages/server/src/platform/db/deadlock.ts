const deadlockDetected = '40P01';

/** Whether PostgreSQL ended a transaction because it and another waited for each other. */
export const isDeadlock = (error: unknown): boolean =>
  error instanceof Error && (error as Error & { code?: unknown }).code === deadlockDetected;
