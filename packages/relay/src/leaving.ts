/** Says when somebody is no longer waited for. An AbortSignal is one too, and costs more to make. */
export interface Departure {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void): void;
}

export class Leaving implements Departure {
  readonly #listeners: (() => void)[] = [];
  aborted = false;

  addEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners.push(listener);
  }

  leave(): void {
    if (this.aborted) return;
    this.aborted = true;
    for (const listener of this.#listeners) listener();
  }
}
