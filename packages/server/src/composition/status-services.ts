import { ModelLatencyRepository } from '../observability/public-status/model-latency-repository.ts';
import { ModelTimes } from '../observability/public-status/model-times.ts';
import { PublicStatusRepository } from '../observability/public-status/public-status-repository.ts';
import { PublicStatusService } from '../observability/public-status/public-status-service.ts';
import type { AppContext } from './app-dependencies.ts';
import type { CoreServices } from './core-services.ts';

/** The public status page, and the times that it tells. */
export function makeStatusServices(
  { database, logger, lifecycle }: AppContext,
  { options }: CoreServices,
  isServed: (model: string) => boolean,
) {
  const latencies = new ModelLatencyRepository(database);
  const modelTimes = new ModelTimes({
    latencies,
    isServed,
    isOn: () => options.values.StatusPageEnabled,
    onFailure: (error) => logger.warn({ err: error }, 'latencies of models were not written down'),
  });
  lifecycle.add({ name: 'model latencies', stop: () => modelTimes.catchUp() });
  const counts = new PublicStatusRepository(database);
  return { modelTimes, publicStatus: new PublicStatusService({ options, counts, latencies, times: modelTimes }) };
}
