import { defineConfig } from '@playwright/test';
import base from './playwright.config.ts';

/** Pictures of the console rather than tests of it: `npm run screens` writes them into docs/screens. */
export default defineConfig({ ...base, testMatch: '**/*.screens.ts', workers: 1 });
