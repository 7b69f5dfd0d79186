import { buildConsoleIfStale } from './console-build.ts';
import { buildServerIfStale, loadServer } from './server-build.ts';

/** Builds what has changed, in a process of its own: what building takes of memory goes with it. */
await Promise.all([buildConsoleIfStale(), buildServerIfStale()]);
await loadServer();
