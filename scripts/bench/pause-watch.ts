/**
 * Loaded into the server before its own code (`--import`). Measures the longest event loop pause since the last
 * query, in milliseconds, and how much of it was CPU work rather than waiting for a CPU.
 */
const tickMs = 5;

let last = performance.now();
let lastWork = workMs();
let longest = 0;
let longestWork = 0;

function workMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

setInterval(() => {
  const now = performance.now();
  const work = workMs();
  longest = Math.max(longest, now - last - tickMs);
  longestWork = Math.max(longestWork, work - lastWork);
  last = now;
  lastWork = work;
}, tickMs).unref();

process.on('message', () => {
  process.send?.({ longest, longestWork });
  longest = 0;
  longestWork = 0;
});
process.channel?.unref();
