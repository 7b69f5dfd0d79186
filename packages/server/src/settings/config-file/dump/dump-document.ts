import {
  type ManagedKind,
  managedKinds,
  neverExpires,
  type OptionValues,
  parseTags,
  splitCommas,
  type Token,
  tokenStatus,
} from '@headgate/contract';
import { stringify } from 'yaml';
import { ConfigFile } from '../config-file.ts';
import { ConfigFileError } from '../config-file-error.ts';
import { allKinds } from '../kinds/all-kinds.ts';
import { type FileServices, mapSequentially, storedOptions } from '../kinds/object-kind.ts';
import { SecretSource } from '../secret-source.ts';
import { quoteForMessage } from '../yaml-text.ts';
import { type DumpContext, type DumpSection, omitDefault, withUniqueNames } from './dump-section.ts';
import { dumpedAlerts, dumpedDestinations, dumpedLogExports } from './dumped-alerts.ts';
import { dumpedChannels } from './dumped-channels.ts';
import { dumpedGroups, dumpedModels, dumpedOptions } from './dumped-options.ts';
import { dumpedOrganizations } from './dumped-organizations.ts';
import { dumpedPlans } from './dumped-plans.ts';
import { dumpedAliases, dumpedBudgets, dumpedLimits, dumpedRouting, dumpedUsers } from './dumped-rules.ts';
import { VariableNames } from './variable-names.ts';

const daySeconds = 86_400;

/** Tokens of all users with a unique name. Their keys are secrets. */
const dumpedTokens: DumpSection = {
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

/** Sections in the order that a reader expects. */
const sections: readonly DumpSection[] = [
  ...[dumpedOptions, dumpedGroups, dumpedModels, dumpedChannels, dumpedAliases, dumpedRouting],
  // Limits and budgets refer to tokens, alerts to destinations.
  ...[dumpedUsers, dumpedTokens, dumpedOrganizations, dumpedLimits, dumpedBudgets, dumpedPlans],
  ...[dumpedDestinations, dumpedAlerts, dumpedLogExports],
];

interface Dump {
  readonly text: string;
  /** Environment variables for the secrets. */
  readonly variables: VariableNames;
  /** Objects that are not in the file, with the reason, one per line. */
  readonly left: readonly string[];
}

interface DumpOptions {
  readonly ownVariables: readonly string[];
  /** Users and their tokens usually change outside the file, so they are dumped only on request. */
  readonly hasUsers: boolean;
}

/** The stored configuration as a file. Read-only. */
export async function dumpDocument(services: FileServices, { ownVariables, hasUsers }: DumpOptions): Promise<Dump> {
  const options = await storedOptions(services);
  const variables = new VariableNames(ownVariables);
  const left: string[] = [];
  const leave = (kind: ManagedKind, name: string, why: string) =>
    void left.push(`${managedKinds[kind]} ${quoteForMessage(name)}: ${why}`);
  const document: Record<string, unknown> = {};
  for (const dumped of sections) {
    if ((dumped === dumpedUsers || dumped === dumpedTokens) && !hasUsers) continue;
    const tokens = new Set(Object.keys(document['tokens'] ?? {}));
    const all = await dumped.entries({ services, options, variables, leave, tokens });
    const entries = all.filter(([name, entry]) => {
      const why = exclusionReason(dumped, name, entry, { variables, options });
      if (why !== undefined) leave(dumped.kind, name, why);
      return why === undefined;
    });
    if (entries.length > 0) document[dumped.section] = Object.fromEntries(entries);
  }
  return { text: textOf(document, variables, left), variables, left };
}

interface ValidationContext {
  readonly variables: VariableNames;
  readonly options: OptionValues;
}

/** Reason why an entry cannot be in the file; a value stored by an earlier version may be invalid now. */
function exclusionReason(
  { kind, section }: DumpSection,
  name: string,
  entry: unknown,
  { variables, options }: ValidationContext,
): string | undefined {
  const secrets = new SecretSource({
    ...{ folder: '/', dataDir: '/', ownVariables: [], ownSecrets: [] },
    variable: (variable) => variables.value(variable),
  });
  try {
    const file = new ConfigFile('headgate.yaml', written({ [section]: { [name]: entry } }), secrets);
    allKinds.find((one) => one.kind === kind)?.wanted(file, options);
    return undefined;
  } catch (error) {
    if (!(error instanceof ConfigFileError)) throw error;
    return error.message.replace(/^headgate\.yaml:\d+: /, '');
  }
}

/** Without anchors, which the parser rejects. */
const written = (document: object): string => stringify(document, { lineWidth: 0, aliasDuplicateObjects: false });

const commented = (lines: readonly string[]): string => lines.map((line) => `# ${line}\n`).join('');

function textOf(document: object, { names }: VariableNames, left: readonly string[]): string {
  return [
    '# yaml-language-server: $schema=./headgate.schema.json\n',
    names.length > 0 ? commented(['Secrets come from these environment variables:', ...names]) : '',
    left.length > 0 ? commented(['Not in this file:', ...left]) : '',
    written({ version: 1, ...document }),
  ].join('');
}
