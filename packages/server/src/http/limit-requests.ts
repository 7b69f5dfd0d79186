import type { FastifyInstance } from 'fastify';
import { networkOf } from '../platform/rate-limits/client-network.ts';
import type { RateLimiter } from '../platform/rate-limits/rate-limits.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The group of routes whose critical calls are counted together. */
    readonly criticalGroup?: string;
    /** Of the relay, though its address begins as the console's API does. */
    readonly isRelayed?: boolean;
  }
}

export interface RequestLimiters {
  /** Of all calls of the API. */
  readonly api: RateLimiter;
  /** Of those that are marked critical. */
  readonly critical: RateLimiter;
}

/** Refuses an address that calls too often, before anything of its request is read but the head. */
export function limitRequests(app: FastifyInstance, { api, critical }: RequestLimiters): void {
  app.addHook('onRequest', async ({ ip, url, routeOptions }) => {
    // The route that was found, not its spelling: the router reads /%61pi as /api.
    if (!/^\/api(\/|\?|$)/.test(routeOptions.url ?? url) || routeOptions.config.isRelayed) return;
    const network = networkOf(ip);
    await api.use(network);
    const { criticalGroup } = routeOptions.config;
    if (criticalGroup !== undefined) await critical.use(`${criticalGroup} ${network}`);
  });
}
