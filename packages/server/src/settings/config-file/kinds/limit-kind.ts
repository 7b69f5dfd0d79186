import { isCountedMeasure, type LimitRule, limitRuleApi } from '@headgate/contract';
import { ApiError } from '../../../platform/errors/api-error.ts';
import type { LimitEntry } from '../file-schema.ts';
import type { Fields, StoredObject, WrittenChange } from '../planned-change.ts';
import { findChannelId, findUserId, mapSequentially, type ObjectKind, type WriteContext } from './object-kind.ts';

/** Limit rules. The name in the file is the note in the console. */
export const limitKind: ObjectKind<LimitEntry> = {
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
    const named = await mapSequentially(names, (name) => limits.idsNoted(name));
    const all = [...new Set([...named.flat(), ...ids])];
    return (await mapSequentially(all, (id) => limits.findById(id))).flatMap((rule): StoredObject[] =>
      rule ? [{ id: rule.id, name: rule.note, fields: storedFields(rule) }] : [],
    );
  },

  write(writing, changes) {
    return mapSequentially(changes, (change) => writing.at(change.name, () => writeLimit(writing, change)));
  },

  async remove({ actor, limits }, found) {
    await mapSequentially(found, ({ id }) => limits.remove(actor, id));
  },
};

const wantedFields = ({ user = '', token = '', channel = '', counts_per, ...rest }: LimitEntry): Fields => ({
  user,
  token,
  channel,
  ...rest,
  // Per-request limits are not counted, so the count scope is always "all".
  counts_per: isCountedMeasure(rest.measure) ? counts_per : 'all',
});

const storedFields = (rule: LimitRule): Fields => ({
  user: rule.username,
  token: rule.token_name,
  channel: rule.channel_name,
  group: rule.group,
  model: rule.model,
  tag: rule.tag,
  measure: rule.measure,
  amount: rule.amount,
  counts_per: rule.counts_per,
  enabled: rule.enabled,
});

async function writeLimit(
  writing: WriteContext<LimitEntry>,
  { name, wanted, found }: WrittenChange<LimitEntry>,
): Promise<number> {
  const { actor, limits } = writing.services;
  const { user, token, channel, ...rest } = wanted.input;
  const fields = {
    ...rest,
    token_id: token === undefined ? 0 : (writing.idOf('token', token) ?? unknownSubject()),
    user_id: user === undefined ? 0 : ((await findUserId(writing, user)) ?? unknownSubject()),
    channel_id: channel === undefined ? 0 : ((await findChannelId(writing, channel)) ?? unknownSubject()),
    note: name,
  };
  if (!found) return (await limits.create(actor, fields)).id;
  return (await limits.update(actor, { ...fields, id: found.id })).id;
}

function unknownSubject(): never {
  throw new ApiError('limitOfNobody');
}
