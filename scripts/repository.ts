import { fileURLToPath } from 'node:url';

/** Root folder of this repository, without a trailing slash. */
export const repositoryRoot = fileURLToPath(new URL('..', import.meta.url)).replace(/[\\/]$/, '');
