import { expect, type Locator, type Page } from '@playwright/test';

/** Counts what somebody does: each click and each key that acts is a step; what is typed belongs to the step after it. */
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

  async press(key: string): Promise<void> {
    this.#taken += 1;
    await this.#page.keyboard.press(key);
  }

  /** Into a field that has the focus already: to go there would be a step. */
  async type(field: Locator, text: string): Promise<void> {
    await expect(field).toBeFocused();
    await this.#page.keyboard.type(text);
  }

  expectAtMost(most: number): void {
    expect(this.#taken).toBeLessThanOrEqual(most);
  }
}

/** Types into a field with suggestions and leaves it, so that the list of suggestions covers nothing that is clicked next. */
export async function fillAndLeave(field: Locator, text: string): Promise<void> {
  await field.fill(text);
  await field.press('Tab');
}
