declare module 'scheduler' {
  export const unstable_IdlePriority: number;
  export function unstable_forceFrameRate(perSecond: number): void;
  /** Runs the callback when no work of a higher priority is left. */
  export function unstable_scheduleCallback(priority: number, callback: () => void): unknown;
}
