import { fileURLToPath } from 'node:url';
import { expect, startProduct, test } from './product.ts';

const folder = fileURLToPath(new URL('../../../docs/screens/', import.meta.url));

const sizes = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
] as const;

/** Every page, by the name of its picture; those for visitors are taken before signing in. */
const forVisitors = { login: '/login', home: '/', about: '/about', 'not-found': '/nowhere' } as const;
const forUsers = { profile: '/user/edit' } as const;

for (const viewport of sizes) {
  for (const colorScheme of ['light', 'dark'] as const) {
    test(`pictures at ${viewport.width} px, ${colorScheme}`, async ({ browser }) => {
      const product = await startProduct({ ROOT_PASSWORD: 'password-1' });
      const context = await browser.newContext({
        viewport,
        colorScheme,
        baseURL: product.url,
        reducedMotion: 'reduce',
      });
      const page = await context.newPage();
      const take = async (name: string, path: string) => {
        await page.goto(path);
        await page.waitForLoadState('networkidle');
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
        await page.screenshot({ path: `${folder}${name}-${viewport.width}-${colorScheme}.png` });
      };
      for (const [name, path] of Object.entries(forVisitors)) await take(name, path);
      const answer = await page.request.post('/api/user/login', { data: { username: 'root', password: 'password-1' } });
      const { data } = (await answer.json()) as { data: unknown };
      await page.evaluate((user) => localStorage.setItem('user', JSON.stringify(user)), data);
      for (const [name, path] of Object.entries(forUsers)) await take(name, path);
      await context.close();
      await product.stop();
    });
  }
}
