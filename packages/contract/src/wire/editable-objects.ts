import { budgetApi, ownBudgetApi } from '../accounts/budget.ts';
import { organizationApi } from '../accounts/organization.ts';
import { organizationMemberApi } from '../accounts/organization-member.ts';
import { projectApi } from '../accounts/organization-project.ts';
import { organizationTokenApi } from '../accounts/organization-token.ts';
import { redemptionApi } from '../accounts/redemption.ts';
import { tokenApi } from '../accounts/token.ts';
import { userApi } from '../accounts/user.ts';
import { channelApi } from '../catalog/channel.ts';
import { channelKeyApi } from '../catalog/channel-keys.ts';
import { limitRuleApi } from '../catalog/limit-rule.ts';
import { routingApi } from '../catalog/routing.ts';
import { alertApi } from '../observability/alert.ts';
import { incidentApi } from '../observability/incident.ts';
import { logExportApi } from '../observability/log-export.ts';
import { planApi } from '../payments/plan.ts';
import type { Endpoint } from './endpoint.ts';

interface Rows {
  /** Endpoints that return one object, with an ETag. */
  readonly reads: readonly Endpoint[];
  /** Endpoints that change or delete one object and accept If-Match. */
  readonly changes: readonly Endpoint[];
  /** Field of bodies that identifies the object; default `id`. In paths, the last parameter identifies it. */
  readonly key?: string;
}

/**
 * Objects whose editable fields have an ETag. Changes with If-Match fail if the ETag differs; changes without it are
 * unconditional.
 */
export const editableObjects = {
  channel: { reads: [channelApi.get], changes: [channelApi.update, channelApi.remove] },
  channelKeys: {
    reads: [channelKeyApi.list],
    changes: [channelKeyApi.add, channelKeyApi.update, channelKeyApi.remove],
  },
  user: { reads: [userApi.get, userApi.self], changes: [userApi.update, userApi.remove, userApi.updateSelf] },
  token: {
    reads: [tokenApi.get],
    changes: [tokenApi.update, tokenApi.rotate, tokenApi.endOldKey, tokenApi.remove],
  },
  redemption: { reads: [redemptionApi.get], changes: [redemptionApi.update, redemptionApi.remove] },
  plan: { reads: [planApi.get], changes: [planApi.update, planApi.remove] },
  limitRule: { reads: [limitRuleApi.get], changes: [limitRuleApi.update, limitRuleApi.remove] },
  budget: {
    reads: [budgetApi.get, ownBudgetApi.get],
    changes: [
      ...[budgetApi.update, budgetApi.reset, budgetApi.remove],
      ...[ownBudgetApi.update, ownBudgetApi.reset, ownBudgetApi.remove],
    ],
  },
  organization: { reads: [organizationApi.get], changes: [organizationApi.update, organizationApi.remove] },
  organizationMember: {
    reads: [organizationMemberApi.get],
    changes: [organizationMemberApi.update, organizationMemberApi.remove],
    key: 'user_id',
  },
  project: { reads: [projectApi.get], changes: [projectApi.update, projectApi.remove] },
  organizationToken: {
    reads: [organizationTokenApi.get],
    changes: [organizationTokenApi.update, organizationTokenApi.rotate, organizationTokenApi.remove],
  },
  routingRule: { reads: [routingApi.rule], changes: [routingApi.updateRule, routingApi.removeRule] },
  modelAlias: { reads: [routingApi.alias], changes: [routingApi.updateAlias, routingApi.removeAlias] },
  alertReceiver: { reads: [alertApi.receiver], changes: [alertApi.updateReceiver, alertApi.removeReceiver] },
  logExport: { reads: [logExportApi.get], changes: [logExportApi.update, logExportApi.remove] },
  alertRule: { reads: [alertApi.rule], changes: [alertApi.updateRule, alertApi.removeRule] },
  incident: { reads: [incidentApi.get], changes: [incidentApi.update, incidentApi.remove] },
} as const satisfies Readonly<Record<string, Rows>>;

export type EditableObject = keyof typeof editableObjects;

export interface EditTarget {
  readonly thing: EditableObject;
  readonly isRead: boolean;
  /** Field of bodies that identifies the object. */
  readonly key: string;
}

const targetsByEndpoint: ReadonlyMap<Endpoint, EditTarget> = new Map(
  Object.entries<Rows>(editableObjects).flatMap(([name, { reads, changes, key = 'id' }]): [Endpoint, EditTarget][] => {
    const thing = name as EditableObject;
    return [
      ...reads.map((row): [Endpoint, EditTarget] => [row, { thing, isRead: true, key }]),
      ...changes.map((row): [Endpoint, EditTarget] => [row, { thing, isRead: false, key }]),
    ];
  }),
);

/** The object that an endpoint reads or changes; undefined: none. */
export const editTargetOf = (endpoint: Endpoint): EditTarget | undefined => targetsByEndpoint.get(endpoint);

/**
 * True if an endpoint changes data but does not support If-Match. Requests with the header are then rejected, so that
 * no caller relies on a missing check. Reads ignore the header.
 */
export const rejectsIfMatch = (endpoint: Endpoint): boolean =>
  (endpoint.method !== 'GET' || endpoint.changes === true) && !endpoint.file && editTargetOf(endpoint) === undefined;
