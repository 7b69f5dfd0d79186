import { fileURLToPath } from 'node:url';

/** The top folder of this repository, without a trailing slash. */
export const repositoryRoot = fileURLToPath(new URL('..', import.meta.url)).replace(/[\\/]$/, '');
