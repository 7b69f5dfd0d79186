import { neverExpires, parseTags, splitCommas, type Token, tokenStatus } from '@headgate/contract';
import { mapSequentially } from '../kinds/object-kind.ts';
import { type DumpContext, type DumpSection, omitDefault, withUniqueNames } from './dump-section.ts';

const daySeconds = 86_400;

/** Tokens of all users with a unique name. Their keys are secrets. */
export const dumpedTokens: DumpSection = {
  kind: 'token',
  section: 'tokens',
  async entries(dumping) {
    const { services, leave } = dumping;
    const owned = await mapSequentially(await services.users.all(), async ({ id, username }) =>
      (await services.tokens.all(id)).map((token) => ({ token, user: username })),
    );
    const named = withUniqueNames(
      owned.flat().sort((one, other) => one.token.id - other.token.id),
      ({ token }) => token.name,
      (name) => leave('token', name, 'the name is ambiguous: give each a unique name in the console'),
    );
    return named.flatMap(({ token, user }) => {
      if (isDay(token.expired_time)) return [[token.name, entryOf(token, user, dumping)] as const];
      leave('token', token.name, 'it does not expire at the start of a UTC day');
      return [];
    });
  },
};

const isDay = (time: number): boolean => time === neverExpires || time % daySeconds === 0;

const entryOf = (token: Token, user: string, { variables }: DumpContext): object => ({
  user,
  // The key of an imported token is unknown until its first use.
  key: token.key === '' ? undefined : variables.refer([token.name, 'token'], token.key),
  models: omitDefault(splitCommas(token.models ?? ''), []),
  groups: omitDefault(splitCommas(token.groups), []),
  subnets: omitDefault(splitCommas(token.subnet ?? ''), []),
  dialects: omitDefault(splitCommas(token.dialects), []),
  endpoints: omitDefault(splitCommas(token.endpoints), []),
  tags: omitDefault(parseTags(token.fixed_tags), {}),
  expires:
    token.expired_time === neverExpires ? undefined : new Date(token.expired_time * 1000).toISOString().slice(0, 10),
  initial_quota: token.unlimited_quota ? undefined : token.remain_quota,
  note: omitDefault(token.note, ''),
  enabled: omitDefault(token.status !== tokenStatus.disabled, true),
});
