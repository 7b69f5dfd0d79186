import { buildConsoleIfStale } from './console-build.ts';

await buildConsoleIfStale();
await import('../packages/server/src/main.ts');
