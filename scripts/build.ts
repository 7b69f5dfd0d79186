import { buildConsole } from './console-build.ts';
import { buildServer } from './server-build.ts';

await Promise.all([buildConsole(), buildServer()]);
