import { type LimitRule, limitMeasures, limitRuleApi } from '@headgate/contract';
import { ApiError } from '../../../platform/errors/api-error.ts';
import type { LimitEntry } from '../file-schema.ts';
import type { Fields, StoredObject, WrittenChange } from '../planned-change.ts';
import { idOfChannel, idOfUser, type Kind, sequentially, type Writing } from './kind.ts';

/** Limit rules. The name in the file is the note in the console. */
export const limitKind: Kind<LimitEntry> = {
  kind: 'limit',
  section: 'limits',

  wanted(file) {
    return Object.entries(file.document.limits ?? {}).map(([name, entry]) => {
      const { note } = file.validated(['limits', name], limitRuleApi.update.body, { id: 1, note: name });
      if (note !== name) throw file.errorAt(['limits', name], 'has spaces around its name.');
      const { previous_name: previousName, ...input } = entry;
      return { name, previousName, fields: wantedFields(input), input };
    });
  },

  async found({ limits }, { names, ids }) {
    const named = await sequentially(names, (name) => limits.idsNoted(name));
    const all = [...new Set([...named.flat(), ...ids])];
    return (await sequentially(all, (id) => limits.findById(id))).flatMap((rule): StoredObject[] =>
      rule ? [{ id: rule.id, name: rule.note, fields: storedFields(rule) }] : [],
    );
  },

  write(writing, changes) {
    return sequentially(changes, (change) => writing.at(change.name, () => writeLimit(writing, change)));
  },

  async remove({ actor, limits }, found) {
    await sequentially(found, ({ id }) => limits.remove(actor, id));
  },
};

const wantedFields = ({ user = '', token = '', channel = '', counts_per, ...rest }: LimitEntry): Fields => ({
  user,
  token,
  channel,
  ...rest,
  // Limits of a single request have nothing to count together.
  counts_per: limitMeasures[rest.measure].counts === 'points' ? 'all' : counts_per,
});

const storedFields = (rule: LimitRule): Fields => ({
  user: rule.username,
  token: rule.token_name,
  channel: rule.channel_name,
  group: rule.group,
  model: rule.model,
  measure: rule.measure,
  amount: rule.amount,
  counts_per: rule.counts_per,
  enabled: rule.enabled,
});

async function writeLimit(
  writing: Writing<LimitEntry>,
  { name, wanted, found }: WrittenChange<LimitEntry>,
): Promise<number> {
  const { actor, limits } = writing.services;
  const { user, token, channel, ...rest } = wanted.input;
  const fields = {
    ...rest,
    token_id: token === undefined ? 0 : (writing.idOf('token', token) ?? unknownSubject()),
    user_id: user === undefined ? 0 : ((await idOfUser(writing, user)) ?? unknownSubject()),
    channel_id: channel === undefined ? 0 : ((await idOfChannel(writing, channel)) ?? unknownSubject()),
    note: name,
  };
  if (!found) return (await limits.create(actor, fields)).id;
  return (await limits.update(actor, { ...fields, id: found.id })).id;
}

function unknownSubject(): never {
  throw new ApiError('limitOfNobody');
}
