import { buildConsoleIfStale } from './console-build.ts';

await buildConsoleIfStale();
await import('./demo/run-demo.ts');
