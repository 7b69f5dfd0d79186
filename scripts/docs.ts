import { buildSiteIfStale } from './site-build.ts';

/** `npm run docs`: builds the documentation that the server serves under `/docs`. */
await buildSiteIfStale();
