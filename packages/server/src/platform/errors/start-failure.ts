/** A reason not to start that the operator can fix: printed as one sentence without a stack. */
export class StartFailure extends Error {
  override readonly name = 'StartFailure';
}

/** Message of a StartFailure; other errors are rethrown. */
export function startFailureMessage(error: unknown): string {
  if (error instanceof StartFailure) return error.message;
  throw error;
}
