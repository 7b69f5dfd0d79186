import { routingApi } from '@headgate/contract';
import type { StoredObject } from '../planned-change.ts';
import { mapSequentially, type ObjectKind } from './object-kind.ts';

/** Model aliases: the name that clients request, and the model that serves it. */
export const aliasKind: ObjectKind<string> = {
  kind: 'modelAlias',
  section: 'aliases',

  wanted(file) {
    return Object.entries(file.document.aliases ?? {}).map(([name, model]) => {
      const path = ['aliases', name];
      const alias = file.validated(path, routingApi.createAlias.body, { pattern: name, model });
      if (alias.pattern !== name) throw file.errorAt(path, 'has spaces around its name.');
      return { name, fields: { model: alias.model }, input: alias.model };
    });
  },

  async found({ routing }, { names, ids }) {
    const [isNamed, isKnown] = [new Set(names), new Set(ids)];
    return (await routing.aliases())
      .filter(({ id, pattern }) => isNamed.has(pattern) || isKnown.has(id))
      .map(({ id, pattern, model }): StoredObject => ({ id, name: pattern, fields: { model } }));
  },

  write({ services: { actor, routing }, at }, changes) {
    return mapSequentially(changes, ({ name, wanted, found }) =>
      at(name, async () => {
        const alias = { pattern: name, model: wanted.input };
        const { id } = found
          ? await routing.updateAlias(actor, { ...alias, id: found.id })
          : await routing.createAlias(actor, alias);
        return id;
      }),
    );
  },

  async remove({ actor, routing }, found) {
    await mapSequentially(found, ({ id }) => routing.removeAlias(actor, id));
  },
};
