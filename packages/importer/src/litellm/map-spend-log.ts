import {
  endUserTag,
  isTagValue,
  type LogReason,
  logType,
  maxRequestTags,
  parseLiteLlmTag,
  tagsMember,
} from '@headgate/contract';
import { endUserWithoutSession, isObject, parseJson } from '@headgate/dialects';
import { maxContentLength, maxNameLength, maxPerRow, readAmount, shortName } from '../source/log-values.ts';
import type { SourceRow } from '../source/source.ts';
import { maxTime, readJsonObject, readText, truncate } from '../source/source-values.ts';
import { tokenIdFromHash, toProjectId, toServiceAccountId, toUserId } from './litellm-ids.ts';
import { readAmount as dollarsOf, readMilliseconds, readSeconds } from './litellm-values.ts';

/** An imported token, with the names for its logs. */
interface LoggedToken {
  readonly userId: number;
  readonly name: string;
  readonly groups: string;
  /** Tags with member, project and service account; empty unless an organization pays for the token. */
  readonly systemTags: Readonly<Record<string, string>>;
}

/** Additional input for LiteLLM's logs, because they contain only the ids of users and keys. */
export interface SpendContext {
  readonly pointsPerDollar: number;
  /** Usernames by user id in this gateway. */
  readonly usernames: ReadonlyMap<number, string>;
  /** Imported tokens by source id. */
  readonly tokens: ReadonlyMap<string, LoggedToken>;
  /** Organizations by source id of their projects. */
  readonly projects: ReadonlyMap<string, number>;
}

interface Surroundings {
  readonly users: ReadonlyMap<string, number>;
  readonly now: number;
  readonly spend: SpendContext;
}

/** Undefined if the request belongs to no imported user, such as a request with the master key. */
export function mapSpendLog(row: SourceRow, { users, now, spend }: Surroundings) {
  const token = spend.tokens.get(String(tokenIdFromHash(readText(row, 'api_key'))));
  const user_id = ownerOf(row, { users, token, projects: spend.projects }) ?? token?.userId;
  if (user_id === undefined) return undefined;
  const metadata = readJsonObject(row, 'metadata') ?? {};
  const quota = pointsOf(row, spend.pointsPerDollar);
  return {
    user_id,
    created_at: Math.min(Math.max(0, readSeconds(row, 'startTime') ?? 0), maxTime, now),
    ...outcomeOf(quota > 0 ? '' : readText(row, 'status') || readText(metadata, 'status'), metadata),
    username: spend.usernames.get(user_id) ?? '',
    token_name: shortName(token?.name ?? readText(metadata, 'user_api_key_alias')),
    model_name: shortName(readText(row, 'model_group') || readText(row, 'model')),
    quota,
    ...tokensOf(row, metadata),
    channel: 0,
    request_id: truncate(readText(row, 'request_id'), maxNameLength),
    ...timesOf(row),
    system_prompt_reset: 0,
    detail: detailOf(row, user_id === token?.userId ? token.systemTags : {}),
    ended_by: '' as const,
    group: shortName(token?.groups ?? ''),
    cost: 0,
    node: '',
  };
}

/** LiteLLM adds tags with this key itself. */
const clientTag = 'user-agent';

/** The tags and the end user of a request. Invalid tags are omitted, as in requests. */
function detailOf(row: SourceRow, systemTags: LoggedToken['systemTags']): string {
  const stored = row['request_tags'];
  const list = Array.isArray(stored) ? stored : parseJson(readText(row, 'request_tags'));
  const given = Array.isArray(list) ? list.filter((tag) => typeof tag === 'string') : [];
  const tags = new Map<string, string>();
  for (const text of given.slice(0, maxRequestTags * 2)) {
    const [key, value] = parseLiteLlmTag(text) ?? [clientTag, ''];
    if (key !== clientTag && !tags.has(key) && tags.size < maxRequestTags) tags.set(key, value);
  }
  const endUser = endUserWithoutSession(readText(row, 'end_user').trim());
  if (isTagValue(endUser) && !tags.has(endUserTag) && tags.size < maxRequestTags) tags.set(endUserTag, endUser);
  const all = { ...systemTags, ...Object.fromEntries(tags) };
  return Object.keys(all).length === 0 ? '' : JSON.stringify({ [tagsMember]: all });
}

/** A request with a cost is consumption, regardless of how it ended. */
function outcomeOf(ending: string, metadata: Json) {
  if (ending !== 'failure') return { type: logType.consumption, content: '', status: 0, reason: '' as const };
  const error = objectIn(metadata, 'error_information');
  const [status, content] = [statusOf(error), truncate(readText(error, 'error_class'), maxContentLength)];
  return { type: logType.failure, content, status, reason: reasonOf(status) };
}

interface LogOwners {
  readonly users: ReadonlyMap<string, number>;
  readonly token: LoggedToken | undefined;
  readonly projects: SpendContext['projects'];
}

/** The organization that pays for the token, else the user who made the request, else the organization of the team. */
function ownerOf(row: SourceRow, { users, token, projects }: LogOwners): number | undefined {
  if (token && Object.keys(token.systemTags).length > 0) return token.userId;
  const [user, team] = [readText(row, 'user'), readText(row, 'team_id')];
  const own = user === '' ? undefined : users.get(String(toUserId(user)));
  if (own !== undefined || user !== '' || team === '') return own;
  return users.get(String(toServiceAccountId(team))) ?? projects.get(String(toProjectId(team)));
}

function pointsOf(row: SourceRow, pointsPerDollar: number): number {
  return Math.min(Math.round((dollarsOf(row, 'spend') ?? 0) * pointsPerDollar), maxPerRow.quota);
}

type Json = Readonly<Record<string, unknown>>;

const objectIn = (json: Json, name: string): Json => {
  const value = json[name];
  return isObject(value) ? value : {};
};

function tokensOf(row: SourceRow, metadata: Json) {
  // The name differs between versions of LiteLLM.
  const usage = { ...objectIn(metadata, 'additional_usage_values'), ...objectIn(metadata, 'usage_object') };
  const [prompt, completion] = ['prompt_tokens_details', 'completion_tokens_details'].map((name) =>
    objectIn(usage, name),
  ) as [Json, Json];
  return {
    prompt_tokens: readAmount(row, 'prompt_tokens', maxPerRow.tokens),
    completion_tokens: readAmount(row, 'completion_tokens', maxPerRow.tokens),
    cached_tokens:
      readAmount(usage, 'cache_read_input_tokens', maxPerRow.tokens) ||
      readAmount(prompt, 'cached_tokens', maxPerRow.tokens),
    cache_write_tokens: readAmount(usage, 'cache_creation_input_tokens', maxPerRow.tokens),
    reasoning_tokens: readAmount(completion, 'reasoning_tokens', maxPerRow.tokens),
  };
}

/** A response was streamed if it started before it ended. */
function timesOf(row: SourceRow) {
  const started = readMilliseconds(row, 'startTime') ?? 0;
  const [first, ended] = ['completionStartTime', 'endTime'].map(
    (column) => readMilliseconds(row, column) ?? started,
  ) as [number, number];
  const isStream = first > started && first < ended;
  const bounded = (milliseconds: number) => Math.min(Math.max(0, milliseconds), maxPerRow.milliseconds);
  return {
    elapsed_time: readAmount(row, 'request_duration_ms', maxPerRow.milliseconds) || bounded(ended - started),
    is_stream: isStream ? 1 : 0,
    first_byte_time: isStream ? bounded(first - started) : 0,
  };
}

/** HTTP status of the upstream's response; 0 if unknown. */
function statusOf(error: Json): number {
  const code = Number(readText(error, 'error_code'));
  return Number.isInteger(code) && code >= 400 && code <= 599 ? code : 0;
}

const reasons: Readonly<Record<number, LogReason>> = {
  400: 'refused_request',
  404: 'not_found',
  408: 'timeout',
  429: 'rate_limited',
  503: 'overloaded',
  529: 'overloaded',
};

const reasonOf = (status: number): LogReason => reasons[status] ?? (status >= 500 ? 'server_error' : 'other');
