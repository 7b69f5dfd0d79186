import { defineConfig } from '@playwright/test';
import base from './playwright.config.ts';

/** Screenshots of the console, not tests: `npm run screens` writes them to docs/screens. */
export default defineConfig({ ...base, testMatch: '**/*.screens.ts', workers: 1 });
