import { isErrorStatus, readOpenaiUsage, UpstreamProblem, type Usage, type UsageClaim } from '@headgate/dialects';
import type { JsonObject } from './provider.ts';

/** The message of an error whose body has none. */
export const unreadMessage = (status: number): string => `The upstream answered with status ${status}`;

/** Reads an error where most upstreams put it: under `error`, or at the top, in one of the usual words. */
export function usualProblem(status: number, body: unknown, fallbackMessage = unreadMessage(status)) {
  const top = objectIn(Array.isArray(body) ? body[0] : body);
  const error = top?.['error'];
  if (typeof error === 'string' && error !== '')
    return new UpstreamProblem(status, textIn(top, ['message', 'error_description']) ?? error, error);
  const source = objectIn(error) ?? firstOf(top?.['errors']) ?? top;
  const code = source?.['code'] ?? source?.['error_code'];
  return new UpstreamProblem(
    status,
    textIn(source, ['message', 'msg', 'error_msg', 'detail', 'Message']) ?? fallbackMessage,
    typeof code === 'string' || typeof code === 'number' ? String(code) : null,
    textIn(source, ['type']) ?? 'upstream_error',
  );
}

/** The error that a reply or an event tells, where most put it; undefined when there is none. */
export const errorIn = ({ error }: JsonObject): unknown => error || undefined;

/** Reads an error that came inside a 200: it may tell the status that it should have had, and what was used. */
export function problemInside(body: unknown, fallbackMessage?: string): UpstreamProblem {
  const problem = usualProblem(statusInside(body), body, fallbackMessage);
  problem.usage = usageBeside(body);
  return problem;
}

/** Reads an error that stood elsewhere in a reply. */
export const problemBeside = (body: JsonObject, error: unknown, fallbackMessage?: string): UpstreamProblem =>
  problemInside({ ...body, error }, fallbackMessage);

/** An error is the upstream's own fault unless it says otherwise, by a number or by a word for its filter. */
function statusInside(body: unknown): number {
  const top = objectIn(body);
  const error = objectIn(top?.['error']);
  const told = [error, top].flatMap((source) => statusFields.map((name) => numberOf(source?.[name])));
  const status = told.find(isErrorStatus);
  if (status !== undefined) return status;
  const words = [error?.['code'], error?.['type'], top?.['code'], top?.['type']];
  return words.some(isFilterWord) ? refused : broken;
}

/** Whether this is what a provider calls its refusal of what a request says, in `code` or `type`. Compared whole. */
export const isFilterWord = (word: unknown): boolean => typeof word === 'string' && filterWords.has(word.toLowerCase());

/** Whether an event of pictures or sound is an error; `name` is that of the event, where it has one. */
export const isMediaError = (event: unknown, name: string): boolean =>
  name === 'error' || objectIn(event)?.['type'] === 'error' || Boolean(objectIn(event)?.['error']);

/** How a line gives away that it may be one. */
export const mediaErrorMark = '"error"';

/**
 * Whether an event of a stream, in which nothing is said and nothing told of usage, is an error in words of somebody's
 * own. Events of no meaning, such as signs of life, are none.
 */
export function isErrorEvent(event: unknown): boolean {
  const top = objectIn(event);
  if (!top || top['choices'] !== undefined || objectIn(top['usage'])) return false;
  return errorMarks.some((isMarked) => isMarked(top));
}

const errorMarks: readonly ((top: JsonObject) => unknown)[] = [
  (top) => firstOf(top['errors']) || top['error_code'] || top['error_msg'],
  (top) => top['success'] === false,
  (top) => stateFields.some((name) => top[name] === 'error' || top[name] === 'failed'),
  (top) => numberOf(objectIn(top['base_resp'])?.['status_code'] ?? 0) !== 0,
  (top) => textIn(top, ['detail']),
  (top) =>
    textIn(top, ['message', 'msg', 'Message']) && statusFields.some((name) => isErrorStatus(numberOf(top[name]))),
];

/** The number a value is or spells, else NaN; an object is none, and asking it could throw. */
const numberOf = (value: unknown): number =>
  typeof value === 'number' || typeof value === 'string' ? Number(value) : Number.NaN;

const stateFields = ['object', 'type', 'event', 'status'];
const statusFields = ['code', 'status', 'status_code', 'statusCode', 'http_code'];
const refused = 400;
const broken = 502;

/** What a filter of contents is called. Another channel would not answer either. */
const filterWords: ReadonlySet<string> = new Set([
  'content_filter',
  'content_filter_error',
  'content_policy_violation',
  'responsibleaipolicyviolation',
  'data_inspection_failed',
  'datainspectionfailed',
  'moderation_blocked',
  'prompt_blocked',
]);

const mostTokens = 1_000_000_000;

/** Usage beside an error, in OpenAI's words. */
export function usageBeside(body: unknown): Usage | undefined {
  return usageIfSane(readOpenaiUsage(objectIn(body)?.['usage']));
}

/** What was claimed, when both counts can be and are not zero. */
export function usageIfSane(claim: UsageClaim | undefined): Usage | undefined {
  const promptTokens = claim?.promptTokens ?? 0;
  const completionTokens = claim?.completionTokens ?? 0;
  const isSane = isCount(promptTokens) && isCount(completionTokens) && promptTokens + completionTokens > 0;
  return isSane ? { promptTokens, completionTokens } : undefined;
}

const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 && value <= mostTokens;

const objectIn = (value: unknown): JsonObject | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined;

const firstOf = (value: unknown) => (Array.isArray(value) ? objectIn(value[0]) : undefined);

function textIn(source: JsonObject | undefined, names: readonly string[]): string | undefined {
  const found = names.map((name) => source?.[name]).find((value) => typeof value === 'string' && value !== '');
  return typeof found === 'string' ? found : undefined;
}
