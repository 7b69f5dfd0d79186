import { isAdmin } from '@headgate/contract';
import type { FastifyInstance } from 'fastify';
import { clientOf } from '../http/client.ts';
import type { RequestIdentity } from '../http/request-identity.ts';
import { Refusal } from '../refusal.ts';
import { expositionOf, expositionType } from './exposition.ts';
import { processMetrics } from './process-metrics.ts';
import type { RelayMetrics } from './relay-metrics.ts';

interface MetricsRoutesDependencies {
  readonly identity: RequestIdentity;
  readonly relay: RelayMetrics;
  readonly settlementsWaiting: () => number;
  readonly version: string;
}

/** `/metrics`, for admins and for whoever sits at the machine itself. */
export function metricsRoutes(
  app: FastifyInstance,
  { identity, relay, settlementsWaiting, version }: MetricsRoutesDependencies,
): void {
  app.get('/metrics', { logLevel: 'silent', schema: { hide: true } }, async (request, reply) => {
    if (!clientOf(request).isLoopback) {
      const caller = await identity.identify(request, reply);
      if (!caller) throw new Refusal('notSignedIn');
      if (!isAdmin(caller)) throw new Refusal('notAllowed');
    }
    reply.type(expositionType);
    return expositionOf([
      {
        name: 'headgate_build_info',
        type: 'gauge',
        help: 'The version that runs.',
        samples: [{ labels: { version }, value: 1 }],
      },
      ...relay.families(),
      {
        name: 'headgate_settlements_waiting',
        type: 'gauge',
        help: 'Charges that are not stored yet.',
        samples: [{ value: settlementsWaiting() }],
      },
      ...processMetrics(),
    ]);
  });
}
