import { textAt, type Usage } from '@headgate/dialects';

/** Service tier that served a request. */
export function serviceTierIn(response: unknown): Pick<Usage, 'serviceTier'> {
  const serviceTier = textAt(response, 'service_tier');
  return serviceTier === '' ? {} : { serviceTier };
}
