import type { Page } from '@playwright/test';

/** The words of every message that is shown from now on, also of those that are gone by the time they are read. */
export async function watchMessages(page: Page, selector = '[data-kind]'): Promise<string[]> {
  const seen: string[] = [];
  await page.exposeFunction('tellMessage', (words: string) => void seen.push(words));
  await page.addInitScript((wanted) => {
    const told = new WeakSet<Element>();
    const look = () => {
      for (const message of document.querySelectorAll(wanted)) {
        if (told.has(message)) continue;
        told.add(message);
        void (window as unknown as { tellMessage(words: string): void }).tellMessage(message.textContent ?? '');
      }
    };
    new MutationObserver(look).observe(document, { childList: true, subtree: true });
  }, selector);
  return seen;
}
