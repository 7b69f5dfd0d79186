import { isAdmin } from '@headgate/contract';
import type { FastifyInstance } from 'fastify';
import { clientOf } from '../http/client.ts';
import type { RequestIdentity } from '../http/request-identity.ts';
import { Refusal } from '../refusal.ts';
import { EventLoopDelay } from './event-loop.ts';
import { expositionOf, expositionType, type Family } from './exposition.ts';

interface MetricsRoutesDependencies {
  readonly identity: RequestIdentity;
  readonly families: () => readonly Family[];
}

/** `/metrics`, for admins and for whoever sits at the machine itself. */
export function metricsRoutes(app: FastifyInstance, { identity, families }: MetricsRoutesDependencies): void {
  const delay = new EventLoopDelay();
  app.addHook('onReady', async () => delay.start());
  app.addHook('onClose', async () => delay.stop());
  app.get('/metrics', { logLevel: 'silent', schema: { hide: true } }, async (request, reply) => {
    if (!clientOf(request).isLoopback) {
      const caller = await identity.identify(request, reply);
      if (!caller) throw new Refusal('notSignedIn');
      if (!isAdmin(caller)) throw new Refusal('notAllowed');
    }
    reply.type(expositionType);
    return expositionOf([...families(), ...delay.families()]);
  });
}
