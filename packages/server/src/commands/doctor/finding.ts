/** The worst state determines the exit code; only `fail` prevents the gateway from serving. */
export type FindingState = 'ok' | 'warn' | 'fail';

/** A check with its result and fix. Contains no secrets and no terminal control characters. */
export interface Finding {
  readonly check: string;
  readonly state: FindingState;
  readonly says: string;
  readonly todo?: string;
}

export const ok = (check: string, says: string): Finding => ({ check, state: 'ok', says });
export const warn = (check: string, says: string, todo: string): Finding => ({ check, state: 'warn', says, todo });
export const fail = (check: string, says: string, todo: string): Finding => ({ check, state: 'fail', says, todo });

/** System error code, or the message. */
export function errorReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return (error as NodeJS.ErrnoException).code ?? error.message;
}
