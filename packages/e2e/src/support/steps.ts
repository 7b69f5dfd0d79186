import { expect, type Locator, type Page } from '@playwright/test';

/** Counts the steps of a task. Each click is a step; typed text belongs to the next step. */
export class Steps {
  readonly #page: Page;
  #taken = 0;

  constructor(page: Page) {
    this.#page = page;
  }

  async click(target: Locator): Promise<void> {
    this.#taken += 1;
    await target.click();
  }

  /** Types into the focused field, because moving the focus would be a step. */
  async type(field: Locator, text: string): Promise<void> {
    await expect(field).toBeFocused();
    await this.#page.keyboard.type(text);
  }

  expectAtMost(max: number): void {
    expect(this.#taken).toBeLessThanOrEqual(max);
  }
}

/** Types into a field with suggestions and leaves it, so that the suggestion list does not cover the next element. */
export async function fillAndLeave(field: Locator, text: string): Promise<void> {
  await field.fill(text);
  await field.press('Tab');
}
