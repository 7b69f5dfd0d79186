declare module 'scheduler' {
  export function unstable_forceFrameRate(perSecond: number): void;
}
