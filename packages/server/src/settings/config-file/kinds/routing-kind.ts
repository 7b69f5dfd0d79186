import { type Parsed, type RoutingRule, routingApi } from '@headgate/contract';
import type { Fields, StoredObject } from '../planned-change.ts';
import { mapSequentially, type ObjectKind } from './object-kind.ts';

type Rule = Parsed<typeof routingApi.createRule>['body'];

/** Routing rules, identified by group and model. Their names exist only in the file. */
export const routingKind: ObjectKind<Rule> = {
  kind: 'routingRule',
  section: 'routing',

  wanted(file) {
    const seen = new Map<string, string>();
    return Object.entries(file.document.routing ?? {}).map(([name, { fallbacks, ...entry }]) => {
      const path = ['routing', name];
      const rule = file.validated(path, routingApi.createRule.body, { ...entry, fallbacks: fallbacks.join(',') });
      const other = seen.get(subjectOf(rule));
      if (other !== undefined) throw file.errorAt(path, 'has the same group and model as an earlier one.');
      seen.set(subjectOf(rule), name);
      return { name, fields: fieldsOf(rule), input: rule };
    });
  },

  async found({ routing }, { wanted, ids }) {
    const bySubject = new Map(wanted.map(({ name, input }) => [subjectOf(input), name]));
    const isKnown = new Set(ids);
    return (await routing.rules()).flatMap((rule): StoredObject[] => {
      const name = bySubject.get(subjectOf(rule));
      return name === undefined && !isKnown.has(rule.id)
        ? []
        : [{ id: rule.id, name: name ?? '', fields: fieldsOf(rule) }];
    });
  },

  write({ services: { actor, routing }, at }, changes) {
    return mapSequentially(changes, ({ name, wanted, found }) =>
      at(name, async () => {
        const { id } = found
          ? await routing.updateRule(actor, { ...wanted.input, id: found.id })
          : await routing.createRule(actor, wanted.input);
        return id;
      }),
    );
  },

  async remove({ actor, routing }, found) {
    await mapSequentially(found, ({ id }) => routing.removeRule(actor, id));
  },
};

const subjectOf = ({ group, model }: Pick<RoutingRule, 'group' | 'model'>): string => JSON.stringify([group, model]);

const fieldsOf = ({ group, model, strategy, affinity, fits_window, hedge_ms, fallbacks, ...rule }: Rule): Fields => ({
  ...{ group, model, strategy, affinity, fits_window, hedge_ms, fallbacks },
  split_model: rule.split_model,
  split_tag: rule.split_tag,
  split_percent: rule.split_percent,
  split_own_price: rule.split_own_price,
  mirror_model: rule.mirror_model,
  mirror_channel: rule.mirror_channel,
  mirror_percent: rule.mirror_percent,
});
