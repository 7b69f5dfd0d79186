import { defaultOptions } from '@headgate/contract';
import { ImportError } from '../import-error.ts';
import { fromLitellm, type LitellmSettings } from '../litellm/from-litellm.ts';
import type { ImportedBudget, ImportedLimit } from '../litellm/litellm-budgets.ts';
import { type ImportedOrganizations, noOrganizations, type TokenPayer } from '../litellm/litellm-organizations.ts';
import { type ImportedChannel, mapChannel } from '../mapping/map-channel.ts';
import { type ImportedOption, type ImportedRow, isSkipped, type MappedRow } from '../mapping/map-options.ts';
import { type ImportedRedemption, mapRedemption } from '../mapping/map-redemption.ts';
import { type ImportedToken, mapToken } from '../mapping/map-token.ts';
import { withGroupsBeforePlans } from '../mapping/map-user-plan.ts';
import { collectTokenGroups, type TokenGroups } from '../mapping/token-groups.ts';
import type { LogId, SourceContents, SourceKind, SourceRow } from '../source/source.ts';
import { readInteger, readText } from '../source/source-values.ts';
import type { TargetRules, TargetState } from '../target.ts';
import type { TableReport } from './import-tally.ts';
import { createIdCheck, idLabel, planOptions, planTable } from './plan-options.ts';
import { type OrganizationsPlan, planOrganizations } from './plan-organizations.ts';
import { planOwned } from './plan-owned.ts';
import { type ImportedPayments, planPayments } from './plan-payments.ts';
import { identityIssuers, type PlannedUser, planUsers } from './plan-users.ts';

/** All rows that an import writes, and its report. Deterministic. */
export interface ImportPlan {
  readonly users: readonly PlannedUser[];
  readonly tokens: readonly ImportedToken[];
  readonly channels: readonly ImportedChannel[];
  readonly redemptions: readonly ImportedRedemption[];
  readonly options: readonly ImportedOption[];
  readonly budgets: readonly ImportedBudget[];
  readonly limits: readonly ImportedLimit[];
  readonly organizations: ImportedOrganizations;
  readonly payments: ImportedPayments;
  /** Report line about the super admin. */
  readonly superAdmin: string;
  readonly reports: readonly TableReport[];
  readonly lastLogId: LogId;
}

interface PlanContext {
  readonly kind: SourceKind;
  readonly here: TargetState;
  readonly now: number;
  readonly rules: TargetRules;
  /** Only for LiteLLM. */
  readonly litellm: Omit<LitellmSettings, 'quotaPerUnit'>;
}

const pointsPerDollar = ({ options }: TargetState): number =>
  Number(options.get('QuotaPerUnit') ?? defaultOptions.QuotaPerUnit);

/** What sources other than LiteLLM do not have. */
const plain = { budgets: [], limits: [], organizations: noOrganizations, serviceGroups: [] } as const;

export function planImport({ tables: source, lastLogId }: SourceContents, around: PlanContext): ImportPlan {
  const { here, kind, now, rules, litellm } = around;
  const { tables, budgets, limits, organizations, serviceGroups } =
    kind === 'litellm'
      ? fromLitellm(source, { ...litellm, quotaPerUnit: pointsPerDollar(here) })
      : { ...plain, tables: { ...source, users: withGroupsBeforePlans(source.users, source.user_subscriptions, now) } };
  requireSameSource(tables.tokens, around);
  const options = planOptions(tables.options, here);
  const planned = new Map(options.rows.map(({ key, text }) => [key as string, text]));
  const optionOf = (key: string) => planned.get(key) ?? here.options.get(key) ?? '';
  const groups = collectTokenGroups({ ...tables, users: [...tables.users, ...serviceGroups] }, kind);
  const { users, superAdmin, report } = planUsers(tables, {
    kind,
    now,
    here,
    rules,
    issuers: identityIssuers(optionOf),
    groups,
  });
  const owners = new Set([...here.imported.user.keys(), ...users.map(({ sourceId }) => String(sourceId))]);
  const paying = planOrganizations(organizations, { here, rules, kind, users: owners });
  const tokens = planTokens(tables.tokens, owners, { ...around, groups, paying });
  const channels = planChannels(tables.channels, around);
  const redemptions = planRedemptions(tables.redemptions, around);
  const brought = { users, tokens: tokens.rows, channels: channels.rows, organizations: paying.organizations };
  const payments = planPayments(tables, { here, now, users: owners });
  const owned = planOwned({ budgets, limits }, brought, around);
  return {
    users,
    tokens: tokens.rows,
    channels: channels.rows,
    redemptions: redemptions.rows,
    options: options.rows,
    budgets: owned.budgets,
    limits: owned.limits,
    organizations: paying.organizations,
    payments,
    superAdmin,
    reports: [
      ...[report, ...paying.reports, tokens.report, channels.report, redemptions.report, options.report],
      ...[...owned.reports, ...payments.reports],
    ],
    lastLogId,
  };
}

/**
 * Rejects a different database that has the same ids. Token keys never change, so at least one imported token must
 * still have its key.
 */
function requireSameSource(
  rows: readonly SourceRow[],
  { here: { importedTokenHashes }, kind, rules }: PlanContext,
): void {
  const known = rows.flatMap((row) => {
    const hash = importedTokenHashes.get(readText(row, 'id'));
    if (hash === undefined) return [];
    // Ids of LiteLLM's tokens are derived from their keys.
    return [kind === 'litellm' || hash === rules.hashSecret(withoutPrefix(readText(row, 'key').trim()))];
  });
  const isOtherLitellm = kind === 'litellm' && rows.length > 0 && importedTokenHashes.size > 0 && known.length === 0;
  if ((known.length === 0 || known.includes(true)) && !isOtherLitellm) return;
  throw new ImportError(
    'This is not the database that was imported before. Use --as to give it a name, such as --as second.',
  );
}

const withoutPrefix = (key: string) => (key.startsWith('sk-') ? key.slice('sk-'.length) : key);

function planTokens(
  rows: readonly SourceRow[],
  owners: ReadonlySet<string>,
  {
    here,
    kind,
    now,
    rules,
    groups,
    paying,
  }: PlanContext & { readonly groups: TokenGroups; readonly paying: OrganizationsPlan },
) {
  const hashes = new Set(here.tokenHashes);
  return planTable<ImportedToken>(rows, {
    kind: 'token',
    name: 'tokens',
    faultOf: createIdCheck(),
    isHere: (row) => here.imported.token.has(idLabel(row)),
    map: (row) => {
      const payer = paying.organizations.payers.get(readInteger(row, 'id'));
      const reason = payerFault(payer, paying) ?? ownerFault(row, payer, owners);
      if (reason !== undefined) return [{ reason }];
      const outcome = mapToken(row, { kind, now, rules, scope: groups.scopeOf(row, here.imported.user) });
      return [isSkipped(outcome) ? outcome : skipIfTaken(outcome, hashes, outcome.row.keyHash)];
    },
  });
}

const payerFault = (payer: TokenPayer | undefined, { isUsable }: OrganizationsPlan): string | undefined =>
  payer && !isUsable(payer) ? 'belongs to a team whose project is skipped or was deleted here' : undefined;

/** Tokens of service accounts have no user. */
const ownerFault = (row: SourceRow, payer: TokenPayer | undefined, owners: ReadonlySet<string>): string | undefined =>
  (payer?.serviceAccount ?? 0) !== 0 || owners.has(readText(row, 'user_id'))
    ? undefined
    : 'belongs to a user who is skipped';

function planRedemptions(rows: readonly SourceRow[], { here, rules }: PlanContext) {
  const hashes = new Set(here.redemptionHashes);
  return planTable<ImportedRedemption>(rows, {
    kind: 'code',
    name: 'redemption codes',
    faultOf: createIdCheck(),
    isHere: (row) => here.imported.redemption.has(idLabel(row)),
    map: (row) => {
      const outcome = mapRedemption(row);
      return [isSkipped(outcome) ? outcome : skipIfTaken(outcome, hashes, rules.hashSecret(outcome.row.key))];
    },
  });
}

/** Skips a row whose key already belongs to another row. */
function skipIfTaken<Row>(outcome: ImportedRow<Row>, taken: Set<string>, hash: string): MappedRow<Row> {
  if (taken.has(hash)) return { reason: 'has a key that is already in use' };
  taken.add(hash);
  return outcome;
}

/** Channel names need not be unique, but a configuration file identifies channels by name. */
function withNameNote(outcome: MappedRow<ImportedChannel>, taken: ReadonlySet<string>): MappedRow<ImportedChannel> {
  if (isSkipped(outcome) || !taken.has(outcome.row.fields.name)) return outcome;
  return {
    ...outcome,
    changes: [...outcome.changes, 'has the same name as a channel that exists here; both are kept'],
  };
}

function planChannels(rows: readonly SourceRow[], { here, kind, rules }: PlanContext) {
  // The source id of a split channel is followed by `:` and a key identifier.
  const known = new Set([...here.imported.channel.keys()].map((id) => id.split(':', 1)[0]));
  return planTable<ImportedChannel>(rows, {
    kind: 'channel',
    name: 'channels',
    faultOf: createIdCheck(),
    isHere: (row) => known.has(idLabel(row)),
    map: (row) => mapChannel(row, { kind, rules }).map((outcome) => withNameNote(outcome, here.channelNames)),
  });
}
