import { buildSiteIfStale } from './site-build.ts';

/** `npm run site`: builds the documentation that the server serves under `/docs`. */
await buildSiteIfStale();
