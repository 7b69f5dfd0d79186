const lookEveryMs = 500;

/**
 * Ends this process as a signal would once its parent is gone. A plain `kill` of npm ends npm alone; what it started
 * would live on and hold its port.
 */
export function endWithParent(): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, lookEveryMs);
  timer.unref();
}
