import { type Parsed, type Plan, type PlanWindow, planApi } from '@headgate/contract';
import type { Fields, StoredObject } from '../planned-change.ts';
import { mapSequentially, type ObjectKind } from './object-kind.ts';

type Terms = Parsed<typeof planApi.create>['body'];

/** Plans for sale. Users keep the plans that they already have. */
export const planKind: ObjectKind<Terms> = {
  kind: 'plan',
  section: 'plans',

  wanted(file) {
    return Object.entries(file.document.plans ?? {}).map(([name, entry]) => {
      const { previous_name: previousName, models, groups, ...rest } = entry;
      const path = ['plans', name];
      const given = { ...rest, name, models: models.join(','), groups: groups.join(',') };
      const terms = file.validated(path, planApi.create.body, given);
      if (terms.name !== name) throw file.errorAt(path, 'has spaces around its name.');
      return { name, previousName, fields: fieldsOf(terms), input: terms };
    });
  },

  async found({ plans }, { names, ids }) {
    const sought = { names: new Set(names), ids: new Set(ids) };
    return (await plans.list())
      .filter(({ id, name }) => sought.names.has(name) || sought.ids.has(id))
      .map((plan): StoredObject => ({ id: plan.id, name: plan.name, fields: fieldsOf(plan) }));
  },

  write({ services: { actor, plans }, at }, changes) {
    return mapSequentially(changes, ({ name, wanted, found }) =>
      at(name, async () => {
        const { id } = found
          ? await plans.update(actor, { ...wanted.input, id: found.id })
          : await plans.create(actor, wanted.input);
        return id;
      }),
    );
  },

  async remove({ actor, plans }, found) {
    await mapSequentially(found, ({ id }) => plans.remove(actor, id));
  },
};

const windowText = ({ period, hours, amount }: PlanWindow): string =>
  period === 'hours' ? `${hours} hours ${amount}` : `${period} ${amount}`;

const fieldsOf = (plan: Terms | Plan): Fields => ({
  description: plan.description,
  currency: plan.currency,
  price: plan.price,
  days: plan.days,
  windows: plan.windows.map(windowText).join(', '),
  time_zone: plan.time_zone,
  models: plan.models,
  groups: plan.groups,
  upgrade_group: plan.upgrade_group,
  recurring: plan.recurring,
  max_per_user: plan.max_per_user,
  enabled: plan.enabled,
  sort: plan.sort,
});
