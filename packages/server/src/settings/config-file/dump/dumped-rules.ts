import {
  type Budget,
  defaultGroup,
  isRoot,
  type LimitRule,
  maxPageSize,
  role,
  routingRuleDefaults,
  splitCommas,
  userStatus,
} from '@headgate/contract';
import { type FileServices, mapSequentially } from '../kinds/object-kind.ts';
import { type DumpSection, omitDefault, withUniqueNames } from './dump-section.ts';

/** All users except root. */
export const dumpedUsers: DumpSection = {
  kind: 'user',
  section: 'users',
  entries: async ({ services }) =>
    (await services.users.all())
      .filter((user) => !isRoot(user))
      .map((user) => [
        user.username,
        {
          display_name: omitDefault(user.display_name, user.username, ''),
          groups: omitDefault(splitCommas(user.group), [defaultGroup]),
          role: user.role === role.admin ? 'admin' : undefined,
          enabled: omitDefault(user.status === userStatus.enabled, true),
        },
      ]),
};

export const dumpedAliases: DumpSection = {
  kind: 'modelAlias',
  section: 'aliases',
  entries: async ({ services }) =>
    (await services.routing.aliases()).map(({ pattern, model }) => [pattern, model] as const),
};

export const dumpedRouting: DumpSection = {
  kind: 'routingRule',
  section: 'routing',
  entries: async ({ services }) =>
    (await services.routing.rules()).map(
      ({ group, model, strategy, affinity, fits_window, hedge_ms, fallbacks, ...rule }) => [
        `${group || 'every group'}, ${model || 'every model'}`,
        {
          group: omitDefault(group, ''),
          model: omitDefault(model, ''),
          strategy,
          affinity: omitDefault(affinity, routingRuleDefaults.affinity),
          fits_window: omitDefault(fits_window, routingRuleDefaults.fits_window),
          hedge_ms: omitDefault(hedge_ms, routingRuleDefaults.hedge_ms),
          fallbacks: omitDefault(splitCommas(fallbacks), []),
          split_model: omitDefault(rule.split_model, routingRuleDefaults.split_model),
          split_tag: omitDefault(rule.split_tag, routingRuleDefaults.split_tag),
          split_percent: omitDefault(rule.split_percent, routingRuleDefaults.split_percent),
          split_own_price: omitDefault(rule.split_own_price, routingRuleDefaults.split_own_price),
          mirror_model: omitDefault(rule.mirror_model, routingRuleDefaults.mirror_model),
          mirror_channel: omitDefault(rule.mirror_channel, routingRuleDefaults.mirror_channel),
          mirror_percent: omitDefault(rule.mirror_percent, routingRuleDefaults.mirror_percent),
        },
      ],
    ),
};

/** Limits with a note, which is their name in the file. */
export const dumpedLimits: DumpSection = {
  kind: 'limit',
  section: 'limits',
  async entries({ services, leave, tokens }) {
    const all = await everyPage((p) => services.limits.page({ p, size: maxPageSize, keyword: '' }));
    const judged = await mapSequentially(all, async (rule) => ({ rule, why: await whyNot(rule, services, tokens) }));
    for (const { rule, why } of judged) if (why !== undefined) leave('limit', rule.note || `#${rule.id}`, why);
    const fit = judged.flatMap(({ rule, why }) => (why === undefined ? [rule] : []));
    const named = withUniqueNames(
      fit,
      ({ note }) => note,
      (note) => leave('limit', note, 'the note is ambiguous: give each a unique note in the console'),
    );
    return named.map((rule) => [
      rule.note,
      {
        user: omitDefault(rule.username, ''),
        token: omitDefault(rule.token_name, ''),
        channel: omitDefault(rule.channel_name, ''),
        group: omitDefault(rule.group, ''),
        model: omitDefault(rule.model, ''),
        tag: omitDefault(rule.tag, ''),
        measure: rule.measure,
        amount: rule.amount,
        counts_per: omitDefault(rule.counts_per, 'all'),
        enabled: omitDefault(rule.enabled, true),
      },
    ]);
  },
};

const ofOtherToken = 'its token is not in the file';

async function whyNot(
  rule: LimitRule,
  { channels }: FileServices,
  tokens: ReadonlySet<string>,
): Promise<string | undefined> {
  const { token_id, channel_id, gone, note } = rule;
  if (token_id !== 0 && !tokens.has(rule.token_name)) return ofOtherToken;
  if (gone.length > 0) return 'its subject no longer exists';
  const isReported = channel_id === 0 || (await channels.idsNamed(rule.channel_name)).length === 1;
  if (!isReported) return 'the name of its channel is ambiguous: give each channel a unique name in the console';
  return note === '' ? 'it has no note, which would be its name in the file: add one in the console' : undefined;
}

export const dumpedBudgets: DumpSection = {
  kind: 'budget',
  section: 'budgets',
  async entries({ services, leave, tokens }) {
    const all = await everyPage((p) => services.budgets.page({ p, size: maxPageSize, keyword: '', direction: 'desc' }));
    const organizations = new Map((await services.organizations.all()).map(({ id, name }) => [id, name]));
    const organizationOf = ({ kind, user_id }: Budget) => (kind === 'token' ? undefined : organizations.get(user_id));
    const fit = all.filter(({ kind, note, id, owner }) => {
      const isFit = kind !== 'token' || tokens.has(owner);
      if (!isFit) leave('budget', note || `#${id}`, ofOtherToken);
      return isFit;
    });
    const notes = Map.groupBy(fit, ({ note }) => note);
    const nameOf = (one: Budget) =>
      one.note !== '' && notes.get(one.note)?.length === 1 ? one.note : unnoted(one, organizationOf(one));
    return fit.map((one) => [
      nameOf(one),
      {
        ...ownerOf(one, organizationOf(one)),
        amount: one.amount,
        period: one.period,
        time_zone: omitDefault(one.time_zone, 'UTC'),
        enabled: omitDefault(one.enabled, true),
      },
    ]);
  },
};

/** Fields with the owner of a budget. */
function ownerOf({ kind, owner }: Budget, organization: string | undefined): object {
  if (organization === undefined) return { [kind]: owner };
  return { organization, ...(kind !== 'user' && { [kind]: owner }) };
}

/** Name of a budget without a unique note. */
function unnoted({ kind, owner, period }: Budget, organization: string | undefined): string {
  if (organization === undefined || kind === 'user') return `${kind} ${owner}, ${period}`;
  return `${kind} ${owner} of ${organization}, ${period}`;
}

async function everyPage<Row>(page: (p: number) => Promise<{ rows: Row[]; total: number }>): Promise<Row[]> {
  const all: Row[] = [];
  for (let p = 0; ; p += 1) {
    const { rows, total } = await page(p);
    all.push(...rows);
    if (rows.length === 0 || all.length >= total) return all.reverse();
  }
}
