import { type PlanWindow, splitCommas } from '@headgate/contract';
import { type DumpSection, omitDefault } from './dump-section.ts';

const windowOf = ({ period, hours, amount }: PlanWindow) => ({ period, hours: omitDefault(hours, 0), amount });

export const dumpedPlans: DumpSection = {
  kind: 'plan',
  section: 'plans',
  entries: async ({ services }) =>
    (await services.plans.list()).map((plan) => [
      plan.name,
      {
        description: omitDefault(plan.description, ''),
        currency: plan.currency,
        price: omitDefault(plan.price, 0),
        days: plan.days,
        windows: plan.windows.map(windowOf),
        time_zone: omitDefault(plan.time_zone, 'UTC'),
        models: omitDefault(splitCommas(plan.models), []),
        groups: omitDefault(splitCommas(plan.groups), []),
        upgrade_group: omitDefault(plan.upgrade_group, ''),
        recurring: omitDefault(plan.recurring, false),
        max_per_user: omitDefault(plan.max_per_user, 0),
        enabled: omitDefault(plan.enabled, true),
        sort: omitDefault(plan.sort, 0),
      },
    ]),
};
