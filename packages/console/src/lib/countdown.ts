import { useEffect, useState } from 'react';

const keyOf = (name: string) => `wait_until:${name}`;

/** Seconds that are left, and the way to start counting; a closed dialog or a reload does not end the wait of this name. */
export function useCountdown(name: string, seconds: number): { readonly left: number; readonly start: () => void } {
  const [end, setEnd] = useState(() => storedEnd(name, seconds));
  const [now, setNow] = useState(Date.now);
  const left = Math.max(0, Math.ceil((end - now) / 1000));
  const isRunning = left > 0;
  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(() => setNow(Date.now()), 250);
    return () => clearInterval(timer);
  }, [isRunning]);
  const start = () => {
    const started = Date.now();
    setNow(started);
    setEnd(started + seconds * 1000);
    sessionStorage.setItem(keyOf(name), String(started + seconds * 1000));
  };
  return { left, start };
}

/** No further off than a wait is long: the clock may have been set back. */
function storedEnd(name: string, seconds: number): number {
  const end = Number(sessionStorage.getItem(keyOf(name)) ?? 0);
  return end > Date.now() + seconds * 1000 ? 0 : end;
}
