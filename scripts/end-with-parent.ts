const checkEveryMs = 500;

/**
 * Shuts this process down when its parent has ended. A plain `kill` of npm ends only npm; its child would keep running
 * and keep its port.
 */
export function endWithParent(): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, checkEveryMs);
  timer.unref();
}
