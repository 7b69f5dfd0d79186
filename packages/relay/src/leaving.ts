/** Says when somebody is no longer waited for. An AbortSignal is one too, and costs more to make. */
export interface Departure {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void): void;
}

/** Waits, but not for somebody who leaves meanwhile. */
export function sleepUnlessLeft(ms: number, departure: Departure): Promise<void> {
  if (departure.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    departure.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

export class Leaving implements Departure {
  readonly #listeners: (() => void)[] = [];
  aborted = false;

  addEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Throws what a listener threw, after all of them have heard it. */
  leave(): void {
    if (this.aborted) return;
    this.aborted = true;
    const faults: unknown[] = [];
    for (const listener of this.#listeners) {
      try {
        listener();
      } catch (error) {
        faults.push(error);
      }
    }
    if (faults.length > 0) throw faults[0];
  }
}
