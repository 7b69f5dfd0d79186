/** Of the worst of them the exit code is made: only `fail` is one that must be mended before the gateway can serve. */
export type FindingState = 'ok' | 'warn' | 'fail';

/** What was looked at, what was found, and what to do about it. Holds no secret, and nothing that a terminal would obey. */
export interface Finding {
  readonly check: string;
  readonly state: FindingState;
  readonly says: string;
  readonly todo?: string;
}

export const ok = (check: string, says: string): Finding => ({ check, state: 'ok', says });
export const warn = (check: string, says: string, todo: string): Finding => ({ check, state: 'warn', says, todo });
export const fail = (check: string, says: string, todo: string): Finding => ({ check, state: 'fail', says, todo });

/** The name of a fault of the system, or else its words. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return (error as NodeJS.ErrnoException).code ?? error.message;
}
