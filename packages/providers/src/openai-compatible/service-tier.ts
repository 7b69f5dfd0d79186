import { textAt, type Usage } from '@headgate/dialects';

/** Service tier that served a request. */
export function readServiceTier(response: unknown): Pick<Usage, 'serviceTier'> {
  const serviceTier = textAt(response, 'service_tier');
  return serviceTier === '' ? {} : { serviceTier };
}
