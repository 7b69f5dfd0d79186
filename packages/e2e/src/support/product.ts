import { fileURLToPath } from 'node:url';
import { type Gateway, startGateway } from '@headgate/testkit';
import { test as plainTest } from '@playwright/test';
import { setOption } from './people.ts';

export { expect } from '@playwright/test';

/** The built product on a loopback port, with its own data folder. */
export type Product = Gateway;

/** One product per worker, one browser context per test. Addresses are relative to the product. */
export const test = plainTest.extend<object, { product: Product }>({
  product: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of wanted fixtures from this pattern.
    async ({}, use) => {
      const product = await startProduct();
      // Unpriced models are allowed, because journeys use them.
      await setOption(product.url, 'ModelsWithoutPrice', 'charge');
      await use(product);
      await product.stop();
    },
    { scope: 'worker' },
  ],
  baseURL: ({ product }, use) => use(product.url),
  // A route handler that is still running when the test ends must not make it fail, because its response is closed with
  // the page.
  page: async ({ page }, use) => {
    await use(page);
    await page.unrouteAll({ behavior: 'ignoreErrors' }).catch((error: unknown) => {
      // The test may have closed the page itself.
      if (!page.isClosed()) throw error;
    });
  },
});

/** Output of `npm run pack`. */
export const packedProgram = fileURLToPath(new URL('../../../../dist/package/bin/headgate.mjs', import.meta.url));

/** Starts the gateway with additional environment variables. */
export const startProduct = (settings: Readonly<Record<string, string>> = {}, program?: string): Promise<Product> =>
  startGateway(settings, program);
