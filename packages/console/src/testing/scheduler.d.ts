declare module 'scheduler' {
  export const unstable_IdlePriority: number;
  export function unstable_forceFrameRate(perSecond: number): void;
  /** Runs the callback after all work of higher priority. */
  export function unstable_scheduleCallback(priority: number, callback: () => void): unknown;
}
