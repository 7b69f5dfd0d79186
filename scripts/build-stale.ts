import { buildConsoleIfStale } from './console-build.ts';
import { buildServerIfStale, loadServer } from './server-build.ts';

/** Builds outdated parts in a separate process, so that the memory for building is released. */
await Promise.all([buildConsoleIfStale(), buildServerIfStale()]);
await loadServer();
