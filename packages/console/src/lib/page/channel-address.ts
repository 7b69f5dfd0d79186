import { useStatus } from './status.ts';

/** Address of a channel's page, or of its form on servers without the page. */
export function useChannelAddress(): (id: number) => string {
  const { extensions } = useStatus();
  return (id) => `/channel/${extensions ? 'view' : 'edit'}/${id}`;
}
