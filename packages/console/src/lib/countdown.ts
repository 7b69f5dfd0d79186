import { useEffect, useState } from 'react';

/** Seconds that are left, and the way to start counting. */
export function useCountdown(seconds: number): { readonly left: number; readonly start: () => void } {
  const [end, setEnd] = useState(0);
  const [now, setNow] = useState(0);
  const left = Math.max(0, Math.ceil((end - now) / 1000));
  const isRunning = left > 0;
  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(() => setNow(Date.now()), 250);
    return () => clearInterval(timer);
  }, [isRunning]);
  const start = () => {
    setNow(Date.now());
    setEnd(Date.now() + seconds * 1000);
  };
  return { left, start };
}
