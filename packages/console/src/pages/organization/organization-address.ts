import type { Query } from '../../lib/page/address.ts';
import { query } from '../../lib/page/address.ts';

export const organizationTabs = [
  'overview',
  'members',
  'projects',
  'tokens',
  'usage',
  'logs',
  'statements',
  'sign-in',
] as const;
export type OrganizationTab = (typeof organizationTabs)[number];

/** Link to a tab of an organization. */
export const organizationLink = (id: number, tab: OrganizationTab, filters: Query = {}) => ({
  to: '/organization',
  search: query(organizationSearch(id, tab, filters)),
});

export const organizationSearch = (id: number, tab: OrganizationTab, filters: Query = {}): Query => ({
  id,
  ...(tab !== 'overview' && { tab }),
  ...filters,
});
