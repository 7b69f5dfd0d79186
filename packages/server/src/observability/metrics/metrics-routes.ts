import { type AccessScope, isAdmin } from '@headgate/contract';
import type { FastifyInstance } from 'fastify';
import { clientOf } from '../../http/client.ts';
import type { Identified, RequestIdentity } from '../../http/request-identity.ts';
import { Refusal } from '../../platform/errors/refusal.ts';
import { EventLoopDelay } from './event-loop.ts';
import { expositionOf, expositionType, type Family } from './exposition.ts';
import { type GatheredMetrics, labelled, merged } from './gathered-metrics.ts';

interface MetricsRoutesDependencies {
  readonly identity: RequestIdentity;
  readonly families: () => readonly Family[];
  /** Undefined for a single process. */
  readonly gathered?: GatheredMetrics | undefined;
  /** Name of this worker. */
  readonly name: string;
}

/** Scopes of access tokens that may read the metrics of the whole gateway. */
const scopes: readonly AccessScope[] = ['all', 'read'];

/** `/metrics`, for admins and for requests from localhost. */
export function metricsRoutes(app: FastifyInstance, dependencies: MetricsRoutesDependencies): void {
  const { identity, families, gathered, name } = dependencies;
  const delay = new EventLoopDelay();
  const own = () => [...families(), ...delay.families()];
  gathered?.listen(name, own);
  app.addHook('onReady', async () => delay.start());
  app.addHook('onClose', async () => delay.stop());
  app.get('/metrics', { logLevel: 'silent' }, async (request, reply) => {
    if (!clientOf(request).isLoopback) requireAdmin(identity, await identity.identify(request, reply));
    reply.type(expositionType);
    if (!gathered) return expositionOf(own());
    return expositionOf(merged([labelled(own(), name), ...(await gathered.others())]));
  });
}

function requireAdmin(identity: RequestIdentity, identified: Identified | undefined): void {
  if (!identified) throw new Refusal('notSignedIn');
  if (!isAdmin(identified.user)) throw new Refusal('notAllowed');
  if (identity.lacksSecondFactor(identified.user)) throw new Refusal('secondFactorRequired');
  if (!scopes.includes(identified.scope)) throw new Refusal('outOfScope');
}
