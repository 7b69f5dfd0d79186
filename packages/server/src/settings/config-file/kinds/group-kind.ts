import { optionError } from '@headgate/contract';
import { ApiError } from '../../../platform/errors/api-error.ts';
import { optionErrorMessage } from '../../../platform/options/option-checks.ts';
import { type ObjectKind, objectNames } from './object-kind.ts';

/** Groups with their price ratios. Groups that are not in the file stay. */
export const groupKind: ObjectKind<number> = {
  kind: 'group',
  section: 'groups',

  wanted(file) {
    return Object.entries(file.document.groups ?? {}).map(([name, ratio]) => {
      const fault = optionError('GroupRatio', JSON.stringify({ [name]: ratio }));
      file.validate(['groups', name], () => {
        if (fault) throw new ApiError('optionInvalid', { fault: optionErrorMessage('GroupRatio', fault) });
      });
      return { name, fields: { ratio }, input: ratio };
    });
  },

  async found(_, { names }, { GroupRatio }) {
    return names.flatMap((name) => {
      const ratio = Object.hasOwn(GroupRatio, name) ? GroupRatio[name] : undefined;
      return ratio === undefined ? [] : [{ id: 0, name, fields: { ratio } }];
    });
  },

  async write({ services: { actor, options, optionChanges } }, changes) {
    const ratios = Object.fromEntries(changes.map(({ name, wanted }) => [name, wanted.input]));
    await optionChanges.setGroups(actor, (before) => ({ ...before, ...ratios }));
    await options.load();
    return changes.map(() => 0);
  },

  async remove({ actor, options, optionChanges }, found) {
    const gone = new Set(objectNames(found));
    await optionChanges.setGroups(actor, (before) =>
      Object.fromEntries(Object.entries(before).filter(([name]) => !gone.has(name))),
    );
    await options.load();
  },
};
