import { useEffect, useState } from 'react';

const keyOf = (name: string) => `wait_until:${name}`;

interface Countdown {
  readonly left: number;
  readonly start: () => void;
  /** Ends the countdown early. */
  readonly stop: () => void;
}

/** Countdown between two calls. It is stored by name and survives a closed dialog and a reload. */
export function useCountdown(name: string, seconds: number): Countdown {
  const [end, setEnd] = useState(() => storedEnd(name, seconds));
  const [now, setNow] = useState(Date.now);
  const left = Math.max(0, Math.ceil((end - now) / 1000));
  const isRunning = left > 0;
  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(() => setNow(Date.now()), 250);
    return () => clearInterval(timer);
  }, [isRunning]);
  const waitUntil = (time: number) => {
    setNow(Date.now());
    setEnd(time);
    sessionStorage.setItem(keyOf(name), String(time));
  };
  return { left, start: () => waitUntil(Date.now() + seconds * 1000), stop: () => waitUntil(0) };
}

/** Stored end of the countdown. Ignored if it is too far in the future, because the clock may have been set back. */
function storedEnd(name: string, seconds: number): number {
  const end = Number(sessionStorage.getItem(keyOf(name)) ?? 0);
  return end > Date.now() + seconds * 1000 ? 0 : end;
}
