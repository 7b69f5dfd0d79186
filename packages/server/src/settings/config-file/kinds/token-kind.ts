import {
  formatTag,
  neverExpires,
  splitCommas,
  type Token,
  tokenCreation,
  tokenKeyPrefix,
  tokenStatus,
} from '@headgate/contract';
import { isTokenKey } from '../../../accounts/api-tokens/token-key.ts';
import type { TokenCreation } from '../../../accounts/api-tokens/token-values.ts';
import type { UserRow } from '../../../platform/db/rows.ts';
import { ApiError } from '../../../platform/errors/api-error.ts';
import type { ConfigFile } from '../config-file.ts';
import type { TokenEntry } from '../file-schema.ts';
import type { DesiredObject, Fields, StoredObject, WrittenChange } from '../planned-change.ts';
import { SecretText } from '../secret-text.ts';
import { type FileServices, findUserId, mapSequentially, type ObjectKind, type WriteContext } from './object-kind.ts';

interface GivenToken {
  readonly user: string;
  readonly enabled: boolean;
  /** Undefined if the gateway generates it. */
  readonly key: SecretText | undefined;
  readonly creation: TokenCreation;
}

type WantedToken = DesiredObject<GivenToken>;

/** API tokens of users. Their remaining quota is not managed by the file. */
export const tokenKind: ObjectKind<GivenToken> = {
  kind: 'token',
  section: 'tokens',

  wanted(file) {
    return Object.entries(file.document.tokens ?? {}).map(([name, entry]) => wantedToken(file, name, entry));
  },

  async found(services, { wanted, ids }) {
    const named = await mapSequentially(wanted, async (one) => {
      const owner = await services.users.named(one.input.user);
      const tokens = owner ? await services.tokens.all(owner.id) : [];
      const isSought = ({ name }: Token) => name === one.name || name === one.previousName;
      return tokens.filter(isSought).map((token) => keepLock(token, storedToken(token, one.input.user), one));
    });
    const known = await mapSequentially(ids, (id) => managedToken(services, id, wanted));
    const byId = new Map([...known, ...named].flat().map((one) => [one.id, one]));
    const hasGivenKey = new Set(wanted.filter(({ input }) => input.key).flatMap((one) => [one.name, one.previousName]));
    return [...byId.values()].map((one) => (hasGivenKey.has(one.name) ? one : withoutKey(one)));
  },

  write(writing, changes) {
    return mapSequentially(changes, (change) => writing.at(change.name, () => writeToken(writing, change)));
  },

  async remove(services, found) {
    await mapSequentially(found, (token) => removeToken(services, token));
  },
};

function wantedToken(file: ConfigFile, name: string, entry: TokenEntry): DesiredObject<GivenToken> {
  const path = ['tokens', name];
  const key = entry.key && file.secret([...path, 'key'], entry.key);
  if (key && !file.isOffline && !isTokenKey(keyText(key)))
    throw file.errorAt([...path, 'key'], 'must have 32 to 64 letters and digits, with or without sk- before them.');
  const { policy: _, ...creation } = file.validated(path, tokenCreation, {
    name,
    expired_time: entry.expires === undefined ? neverExpires : Date.parse(`${entry.expires}T00:00:00Z`) / 1000,
    unlimited_quota: entry.initial_quota === undefined,
    remain_quota: entry.initial_quota ?? 0,
    models: entry.models.join(','),
    subnet: entry.subnets.join(','),
    groups: entry.groups.join(','),
    dialects: entry.dialects.join(','),
    endpoints: entry.endpoints.join(','),
    fixed_tags: Object.entries(entry.tags).map(formatTag).join(','),
    note: entry.note,
  });
  if (creation.name !== name) throw file.errorAt(path, 'has spaces around its name.');
  const { user, enabled, previous_name: previousName } = entry;
  const fields = { ...fieldsOf({ ...creation, user, enabled }), ...(key && { key: new SecretText(keyText(key)) }) };
  return { name, previousName, fields, input: { user, enabled, key, creation } };
}

function keyText(key: SecretText): string {
  const text = key.reveal();
  return text.startsWith(tokenKeyPrefix) ? text.slice(tokenKeyPrefix.length) : text;
}

interface ComparedToken extends Pick<TokenCreation, 'expired_time' | 'unlimited_quota' | 'note'> {
  readonly user: string;
  readonly enabled: boolean;
  readonly models: string | null;
  readonly subnet: string | null;
  readonly groups: string;
  readonly dialects: string;
  readonly endpoints: string;
  readonly fixed_tags: string;
}

const fieldsOf = (token: ComparedToken): Fields => ({
  user: token.user,
  expires: token.expired_time === neverExpires ? 'never' : new Date(token.expired_time * 1000).toISOString(),
  unlimited: token.unlimited_quota,
  models: splitCommas(token.models ?? '').join(','),
  subnets: splitCommas(token.subnet ?? '').join(','),
  groups: splitCommas(token.groups).join(','),
  dialects: splitCommas(token.dialects).join(','),
  endpoints: splitCommas(token.endpoints).join(','),
  tags: splitCommas(token.fixed_tags).join(','),
  note: token.note,
  enabled: token.enabled,
});

const storedToken = (token: Token, user: string): StoredObject => ({
  id: token.id,
  name: token.name,
  fields: {
    ...fieldsOf({ ...token, user, enabled: token.status !== tokenStatus.disabled }),
    key: new SecretText(token.key),
  },
});

const withoutKey = ({ fields: { key: _, ...fields }, ...one }: StoredObject): StoredObject => ({ ...one, fields });

/** A file does not enable a token that an admin has disabled in the console. */
const keepLock = (token: Token, stored: StoredObject, wanted: WantedToken | undefined): StoredObject =>
  token.is_locked && wanted ? { ...stored, fields: { ...stored.fields, enabled: wanted.input.enabled } } : stored;

async function managedToken(
  { tokens, users }: FileServices,
  id: number,
  wanted: readonly WantedToken[],
): Promise<StoredObject[]> {
  const ownerId = await tokens.ownerOf(id);
  const owner = ownerId === undefined ? undefined : await users.find(ownerId);
  if (!owner) return [];
  const token = await tokens.get(owner.id, id);
  return [
    keepLock(
      token,
      storedToken(token, owner.username),
      wanted.find(({ name, previousName }) => token.name === name || token.name === previousName),
    ),
  ];
}

async function writeToken(writing: WriteContext<GivenToken>, change: WrittenChange<GivenToken>): Promise<number> {
  const { tokens, users } = writing.services;
  const { found, fields } = change;
  const { user, enabled, key, creation } = change.wanted.input;
  const owner = await users.find((await findUserId(writing, user)) ?? 0);
  if (!owner) throw new ApiError('unknownUser');
  const differs = (name: string) => fields.some(({ field }) => field === name);
  if (!found || differs('user')) return createToken(writing.services, owner, change);
  const changedFields = fields.map(({ field }) => field).join(', ');
  await writing.services.recordTokenChange('user.token_updated', owner, { token: change.name, fields: changedFields });
  const { remain_quota: _, ...changed } = creation;
  const status = differs('enabled') ? { status: statusOf(enabled) } : {};
  await tokens.update(owner, { ...changed, id: found.id, ...status });
  if (key && differs('key')) await tokens.rotate(owner.id, found.id, 0, keyText(key));
  return found.id;
}

/** A token of another user is replaced, because its quota and logs belong to that user. */
async function createToken(services: FileServices, owner: UserRow, change: WrittenChange<GivenToken>) {
  const { tokens } = services;
  const { found, wanted } = change;
  const { enabled, key, creation } = wanted.input;
  if (found) await removeToken(services, found);
  const { id } = await tokens.create(owner, creation, key && keyText(key));
  if (!enabled) await tokens.update(owner, { id, status: statusOf(enabled) });
  await services.recordTokenChange('user.token_created', owner, { token: change.name });
  return id;
}

async function removeToken({ tokens, users, recordTokenChange }: FileServices, { id, name }: StoredObject) {
  const owner = await users.find((await tokens.ownerOf(id)) ?? 0);
  await tokens.removeById(id);
  if (owner) await recordTokenChange('user.token_deleted', owner, { token: name });
}

const statusOf = (isEnabled: boolean) => (isEnabled ? tokenStatus.enabled : tokenStatus.disabled);
