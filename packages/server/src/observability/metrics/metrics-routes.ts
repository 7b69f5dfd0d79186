import { type AccessScope, isAdmin } from '@headgate/contract';
import type { FastifyInstance } from 'fastify';
import { type IdentifiedUser, type RequestIdentity, requestClient } from '../../http/client.ts';
import { ApiError } from '../../platform/errors/api-error.ts';
import { EventLoopDelay } from './event-loop.ts';
import {
  expositionContentType,
  type Family,
  formatExposition,
  mergeFamilies,
  type OtherWorkersMetrics,
  withWorkerLabel,
} from './exposition.ts';

interface MetricsRoutesDependencies {
  readonly identity: RequestIdentity;
  readonly families: () => readonly Family[];
  /** Undefined for a single process. */
  readonly gathered?: OtherWorkersMetrics | undefined;
  /** Name of this worker. */
  readonly name: string;
}

/** Access token scopes that may read the metrics of the whole gateway. */
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
    if (!requestClient(request).isLoopback) requireAdmin(identity, await identity.identify(request, reply));
    reply.type(expositionContentType);
    if (!gathered) return formatExposition(own());
    return formatExposition(mergeFamilies([withWorkerLabel(own(), name), ...(await gathered.others())]));
  });
}

function requireAdmin(identity: RequestIdentity, identified: IdentifiedUser | undefined): void {
  if (!identified) throw new ApiError('notSignedIn');
  if (!isAdmin(identified.user)) throw new ApiError('notAllowed');
  if (identity.mustSetUpSecondFactor(identified.user)) throw new ApiError('secondFactorRequired');
  if (!scopes.includes(identified.scope)) throw new ApiError('outOfScope');
}
