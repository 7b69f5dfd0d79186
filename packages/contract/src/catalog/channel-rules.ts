import * as z from 'zod/mini';
import { tokenDialects, tokenEndpoints } from '../accounts/token-scope.ts';
import { channelRuleLimits } from './limits.ts';
import {
  apiKeyPlaceholder,
  findProtectedKey,
  isConnectionHeader,
  isKeyHeader,
  isOutputLimitField,
  isPersonalHeader,
  isProtectedField,
  isProtectedFromWrite,
  isRemovableField,
  isSecretHeader,
  isUnsafeName,
} from './rule-fields.ts';

const { nameLength, pathDepth, valueLength, names: maxNames } = channelRuleLimits;

/** Segments of a path; a number is an index when the container is an array. */
export const pathSegments = (path: string): readonly string[] => path.split('.');

const path = z.string().check(
  z.minLength(1, 'Enter a path such as a.b.0'),
  z.maxLength(pathDepth * nameLength, 'The path is too long'),
  z.refine((text) => pathSegments(text).length <= pathDepth, `A path has at most ${pathDepth} names`),
  z.refine(
    (text) => pathSegments(text).every((name) => name !== '' && name.length <= nameLength && !isUnsafeName(name)),
    'The path is invalid',
  ),
);

const changedPath = path.check(
  z.refine((text) => !pathSegments(text).some(isProtectedField), 'Rules cannot change this field'),
);
const writtenPath = changedPath.check(
  z.refine((text) => !pathSegments(text).some(isRemovableField), 'Rules can only remove this field'),
);
const isLimitPath = (text: string): boolean => isOutputLimitField(pathSegments(text).at(-1) ?? '');
const parentOf = (text: string): string => pathSegments(text).slice(0, -1).join('.');
const isInsideLimit = (text: string): boolean => pathSegments(text).slice(0, -1).some(isOutputLimitField);

const isShort = (value: unknown): boolean => (JSON.stringify(value) ?? '').length <= valueLength;
const isShallow = (value: unknown, left: number = pathDepth * 2): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (left > 0 && Object.values(value).every((one) => isShallow(one, left - 1)));

// trusted JSON: a schema; the text was parsed as part of the rules.
const jsonValue = z.json().check(
  z.refine((value) => isShallow(value), 'The value is nested too deeply'),
  z.refine((value) => isShallow(value) && isShort(value), 'The value is too long'),
);
const writtenValue = jsonValue.check(
  z.refine((value) => !JSON.stringify(value).includes(apiKeyPlaceholder), 'Use {api_key} in headers only'),
  z.refine(
    (value) => findProtectedKey(value, isProtectedFromWrite) === undefined,
    'The value contains a field that rules cannot write',
  ),
);

const limitValue = ({ path: at, value }: { readonly path: string; readonly value: unknown }): boolean =>
  !isInsideLimit(at) && (!isLimitPath(at) || (Number.isSafeInteger(value) && (value as number) > 0));
const limitMessage = { error: 'An output limit must be a positive whole number', path: ['value'] };

const headerName = z.string().check(
  z.toLowerCase(),
  z.regex(/^[a-z0-9!#$%&'*+.^_`|~-]{1,100}$/, 'The header name is invalid'),
  z.refine((name) => !isConnectionHeader(name), 'Rules cannot change this header'),
);
const headerValue = z
  .string()
  .check(
    z.minLength(1, 'Enter a value'),
    z.maxLength(4000, 'The value is too long'),
    z.regex(/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/, 'Use printable ASCII characters'),
  );

const write = { path: writtenPath, value: writtenValue } as const;

/** What a rule does. A blank secret header value, as returned in responses, keeps the stored one. */
export const channelRuleAction = z.discriminatedUnion('do', [
  z.object({ do: z.literal('set'), ...write }).check(z.refine(limitValue, limitMessage)),
  z.object({ do: z.literal('default'), ...write }).check(z.refine(limitValue, limitMessage)),
  z.object({
    do: z.literal('remove'),
    path: changedPath.check(
      z.refine(
        (text) => !pathSegments(text).some(isOutputLimitField),
        'An output limit can be set or renamed, but not removed',
      ),
    ),
  }),
  z.object({ do: z.literal('rename'), path: writtenPath, to: writtenPath }).check(
    z.refine(
      ({ path: from, to }) => from !== to && !`${to}.`.startsWith(`${from}.`) && !`${from}.`.startsWith(`${to}.`),
      {
        error: 'The new path must not contain the old one',
        path: ['to'],
      },
    ),
    z.refine(
      ({ path: from, to }) => isLimitPath(from) === isLimitPath(to) && !isInsideLimit(from) && !isInsideLimit(to),
      {
        error: 'An output limit can be renamed only to another output limit',
        path: ['to'],
      },
    ),
    z.refine(({ path: from, to }) => !isLimitPath(from) || parentOf(from) === parentOf(to), {
      error: 'An output limit can be renamed only within the same object',
      path: ['to'],
    }),
  ),
  z.object({ do: z.literal('set_header'), header: headerName, value: z.union([headerValue, z.literal('')]) }).check(
    z.refine(({ header, value }) => value !== '' || isSecretHeader(header), {
      error: 'Enter a value',
      path: ['value'],
    }),
    z.refine(({ header, value }) => value === '' || !isKeyHeader(header) || value.includes(apiKeyPlaceholder), {
      error: 'The value of this header must contain {api_key}',
      path: ['value'],
    }),
  ),
  z.object({
    do: z.literal('remove_header'),
    header: headerName.check(z.refine((name) => !isKeyHeader(name), 'Rules cannot remove this header')),
  }),
  z.object({
    do: z.literal('pass_header'),
    header: headerName.check(
      z.refine((name) => !isKeyHeader(name) && !isPersonalHeader(name), 'This header is never passed on'),
    ),
  }),
  z.object({
    do: z.literal('status'),
    status: z
      .int()
      .check(z.minimum(400, 'Enter a status from 400 to 599'), z.maximum(599, 'Enter a status from 400 to 599')),
    retryable: z.boolean(),
  }),
  z.object({
    do: z.literal('reject'),
    message: z
      .string()
      .check(
        z.trim(),
        z.minLength(1, 'Enter a message'),
        z.maxLength(500, 'The message is too long'),
        z.regex(/^\P{Cc}*$/u, 'Use a single line'),
      ),
  }),
]);
export type ChannelRuleAction = z.output<typeof channelRuleAction>;

const pattern = z
  .string()
  .check(z.trim(), z.minLength(1, 'Enter a pattern'), z.maxLength(200, 'The pattern is too long'));

/** A condition on a field of the upstream request. */
export const channelRuleCondition = z.discriminatedUnion('is', [
  z.object({ is: z.literal('equals'), path, value: jsonValue }),
  z.object({ is: z.literal('exists'), path }),
  z.object({ is: z.literal('missing'), path }),
  /** `*` stands for any characters. */
  z.object({ is: z.literal('matches'), path, pattern }),
]);
export type ChannelRuleCondition = z.output<typeof channelRuleCondition>;

const dialectNames = Object.keys(tokenDialects) as [keyof typeof tokenDialects];
const endpointNames = Object.keys(tokenEndpoints) as [keyof typeof tokenEndpoints];

/** An empty list matches everything; all conditions must be met. */
export const channelRule = z.object({
  name: z
    .string()
    .check(
      z.trim(),
      z.minLength(1, 'Enter a name'),
      z.maxLength(nameLength, 'The name is too long'),
      z.regex(/^\P{Cc}*$/u, 'Use a single line'),
    ),
  when: z._default(
    z.object({
      models: z._default(z.array(pattern).check(z.maxLength(maxNames)), []),
      dialects: z._default(z.array(z.enum(dialectNames)), []),
      endpoints: z._default(z.array(z.enum(endpointNames)), []),
      fields: z._default(z.array(channelRuleCondition).check(z.maxLength(channelRuleLimits.conditions)), []),
    }),
    { models: [], dialects: [], endpoints: [], fields: [] },
  ),
  // biome-ignore lint/suspicious/noThenProperty: a rule is never awaited, and `when` and `then` are its usual names.
  then: z
    .array(channelRuleAction)
    .check(
      z.minLength(1, 'Add an action'),
      z.maxLength(channelRuleLimits.actions, `A rule has at most ${channelRuleLimits.actions} actions`),
    ),
});
export type ChannelRule = z.output<typeof channelRule>;

/** The rule with each of its actions replaced. */
export const mapActions = <Action, Changed, Rule extends { readonly then: readonly Action[] }>(
  rule: Rule & { readonly then: readonly Action[] },
  change: (action: Action, index: number) => Changed,
  // biome-ignore lint/suspicious/noThenProperty: a rule is never awaited.
): Omit<Rule, 'then'> & { then: Changed[] } => ({ ...rule, then: rule.then.map(change) });

/** Rules of a channel, in the order in which they are applied. */
export const channelRules = z.array(channelRule).check(
  z.maxLength(channelRuleLimits.rules, `A channel has at most ${channelRuleLimits.rules} rules`),
  z.refine(
    (rules) => rules.reduce((sum, { then }) => sum + then.length, 0) <= channelRuleLimits.allActions,
    `The rules of a channel have at most ${channelRuleLimits.allActions} actions`,
  ),
);

/** The first problem in invalid rules. */
export interface ChannelRuleProblem {
  /** Such as `0.then.1.path`. */
  readonly place: string;
  readonly message: string;
}

export type ChannelRulesResult =
  | { readonly rules: readonly ChannelRule[]; readonly problem?: undefined }
  | { readonly rules?: undefined; readonly problem: ChannelRuleProblem };

/** Validates rules that were already parsed. */
export function checkChannelRules(value: unknown): ChannelRulesResult {
  const parsed = channelRules.safeParse(value);
  if (parsed.success) return { rules: parsed.data };
  const [issue] = parsed.error.issues;
  return { problem: { place: issue?.path.join('.') ?? '', message: issue?.message ?? 'Invalid input' } };
}

/** Reads the `rules` field of a channel; empty: no rules. */
export function readChannelRules(text: string): ChannelRulesResult {
  if (text.trim() === '') return { rules: [] };
  if (text.length > channelRuleLimits.textLength) return { problem: { place: '', message: 'The rules are too long' } };
  try {
    // trusted JSON: a field of a channel, set by an admin and no longer than an API body.
    return checkChannelRules(JSON.parse(text));
  } catch {
    return { problem: { place: '', message: 'The rules are not valid JSON' } };
  }
}
