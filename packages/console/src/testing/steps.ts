import type { UserEvent } from '@testing-library/user-event';
import { expect } from 'vitest';
import { fill } from './page.ts';

/** Counts the steps of a task. Each click and each action key is a step; typed text is part of the next step. */
export class Steps {
  readonly #user: UserEvent;
  #taken = 0;

  constructor(user: UserEvent) {
    this.#user = user;
  }

  async click(target: HTMLElement): Promise<void> {
    this.#taken += 1;
    await this.#user.click(target);
  }

  /** Presses a key combination, in user-event notation. */
  async press(keys: string): Promise<void> {
    this.#taken += 1;
    await this.#user.keyboard(keys);
  }

  /** Types into the focused field, because moving the focus would be a step. */
  async type(field: HTMLElement, text: string): Promise<void> {
    await expect.poll(() => document.activeElement === field).toBe(true);
    fill(field, text);
  }

  expectAtMost(max: number): void {
    expect(this.#taken).toBeLessThanOrEqual(max);
  }
}
