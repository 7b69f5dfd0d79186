import { fileURLToPath } from 'node:url';
import { type Gateway, startGateway } from '@headgate/testkit';
import { test as plainTest } from '@playwright/test';
import { setOption } from './people.ts';

export { expect } from '@playwright/test';

/** The built product, running on a loopback port with a data folder of its own. */
export type Product = Gateway;

/** Each worker has its own product, each test its own browser context; addresses are relative to the product. */
export const test = plainTest.extend<object, { product: Product }>({
  product: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of wanted fixtures from this pattern.
    async ({}, use) => {
      const product = await startProduct();
      // Journeys speak of models that nobody priced.
      await setOption(product.url, 'ModelsWithoutPrice', 'charge');
      await use(product);
      await product.stop();
    },
    { scope: 'worker' },
  ],
  baseURL: ({ product }, use) => use(product.url),
  // A route handler that still runs when the test ends must not fail it: its response is gone with the page.
  page: async ({ page }, use) => {
    await use(page);
    await page.unrouteAll({ behavior: 'ignoreErrors' }).catch((error: unknown) => {
      // The test may have closed the page itself.
      if (!page.isClosed()) throw error;
    });
  },
});

/** What `npm run pack` makes. */
export const packedProgram = fileURLToPath(new URL('../../../../dist/package/bin/headgate.mjs', import.meta.url));

/** Starts the gateway; settings are added to its environment. */
export const startProduct = (settings: Readonly<Record<string, string>> = {}, program?: string): Promise<Product> =>
  startGateway(settings, program);
