import { optionFault } from '@headgate/contract';
import { Refusal } from '../../../platform/errors/refusal.ts';
import { faultSentence } from '../../../platform/options/option-words.ts';
import { byName, type Kind } from './kind.ts';

/** Groups with their price ratios. Groups that are not in the file stay. */
export const groupKind: Kind<number> = {
  kind: 'group',
  section: 'groups',

  wanted(file) {
    return Object.entries(file.document.groups ?? {}).map(([name, ratio]) => {
      const fault = optionFault('GroupRatio', JSON.stringify({ [name]: ratio }));
      file.judge(['groups', name], () => {
        if (fault) throw new Refusal('optionInvalid', { fault: faultSentence('GroupRatio', fault) });
      });
      return { name, fields: { ratio }, given: ratio };
    });
  },

  async found(_, { names }, { GroupRatio }) {
    return names.flatMap((name) => {
      const ratio = Object.hasOwn(GroupRatio, name) ? GroupRatio[name] : undefined;
      return ratio === undefined ? [] : [{ id: 0, name, fields: { ratio } }];
    });
  },

  async write({ services: { actor, options, optionChanges } }, changes) {
    const ratios = Object.fromEntries(changes.map(({ name, wanted }) => [name, wanted.given]));
    await optionChanges.setGroups(actor, (before) => ({ ...before, ...ratios }));
    await options.load();
    return changes.map(() => 0);
  },

  async remove({ actor, options, optionChanges }, found) {
    const gone = new Set(byName(found));
    await optionChanges.setGroups(actor, (before) =>
      Object.fromEntries(Object.entries(before).filter(([name]) => !gone.has(name))),
    );
    await options.load();
  },
};
