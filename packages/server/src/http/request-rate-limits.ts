import type { FastifyInstance } from 'fastify';
import { clientNetwork } from '../platform/rate-limits/client-network.ts';
import type { RateLimiter } from '../platform/rate-limits/rate-limits.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Group of routes whose critical calls are counted together. */
    readonly criticalGroup?: string;
    /** True for relay endpoints under /api. */
    readonly isRelayed?: boolean;
  }
}

export interface RequestLimiters {
  /** Limiter for all calls of the management API and of the SCIM API. */
  readonly api: RateLimiter;
  /** Limiter for calls marked as critical. */
  readonly critical: RateLimiter;
}

/** Rejects an address that calls too often, before the body is read. */
export function addRateLimits(app: FastifyInstance, { api, critical }: RequestLimiters): void {
  app.addHook('onRequest', async ({ ip, url, routeOptions }) => {
    // Checks the matched route rather than the raw path: the router reads /%61pi as /api.
    if (!/^\/(api|scim)(\/|\?|$)/.test(routeOptions.url ?? url) || routeOptions.config.isRelayed) return;
    const network = clientNetwork(ip);
    await api.use(network);
    const { criticalGroup } = routeOptions.config;
    if (criticalGroup !== undefined) await critical.use(`${criticalGroup} ${network}`);
  });
}
