import {
  type LogReason,
  type LogView,
  logReasons,
  logTypes,
  logViews,
  parseLogSubject,
  parseTag,
  searchableFieldsIn,
} from '@headgate/contract';
import { formatTime, parseTime } from '../../lib/format/format.ts';

/** Filters of the log, stored in the URL and sent with every call. */
export interface LogFilters {
  /** Tab of the page; empty if `viewOf` derives it from the other filters. */
  readonly view: LogView | '';
  readonly type: number;
  readonly token_name: string;
  readonly model_name: string;
  /** Seconds since 1970, inclusive. */
  readonly start: number;
  /** Undefined means one hour after the query, so that an open page also shows newer rows. */
  readonly end: number | undefined;
  /** Channel id, 0 for any. Admins only, like the username. */
  readonly channel: number;
  readonly username: string;
  readonly group: string;
  /** Failure reason; empty for any. */
  readonly reason: LogReason | '';
  readonly request_id: string;
  /** HTTP status of a failure, or `successStatus`; 0 for any. */
  readonly status: number;
  /** Tag of the request as `key=value`. */
  readonly tag: string;
  /** Substring of the content. */
  readonly text: string;
  /** Substring of the channel name. Admins only. */
  readonly channel_name: string;
  /** Comma-separated names of filters that match partially. */
  readonly contains: string;
  /** Resource whose audit events are shown, such as `redemption:12`; empty for any. */
  readonly about: string;
  /** Cursor to start after; empty for the whole list. */
  readonly before: string;
}

/** Filter texts in their fields; the type has its own select. */
export interface LogDraft {
  readonly token_name: string;
  readonly model_name: string;
  readonly start: string;
  readonly end: string;
  readonly channel: string;
  readonly username: string;
  readonly group: string;
  readonly request_id: string;
  readonly contains: string;
}

type Search = Readonly<Record<string, string | undefined>>;

export const noFilters: LogFilters = {
  view: '',
  type: 0,
  token_name: '',
  model_name: '',
  start: 0,
  end: undefined,
  channel: 0,
  username: '',
  group: '',
  reason: '',
  request_id: '',
  status: 0,
  text: '',
  tag: '',
  channel_name: '',
  contains: '',
  about: '',
  before: '',
};

const hour = 3600;

/** Tab that shows these filters. */
export function viewOf({ view, type, about }: LogFilters): LogView {
  if (view !== '') return view;
  const names = Object.keys(logViews) as LogView[];
  const ofType = names.find((name) => (logViews[name] as readonly number[]).includes(type));
  return ofType ?? (about === '' ? 'requests' : 'audit');
}

/** Filters for another tab, without those that apply only to the current tab. */
export const filtersForView = (filters: LogFilters, view: LogView): LogFilters => ({
  ...filters,
  ...{ type: 0, reason: '', status: 0, about: '', before: '' },
  view: view === 'requests' ? '' : view,
});

const endOf = ({ end }: LogFilters, now: number): number => end ?? now + hour;

/** Filters of the user's own logs: neither username nor channel. */
export const ownLogsQuery = (filters: LogFilters, now: number) => ({
  ...sharedQuery(filters, now),
  ...containing(filters, ['token_name', 'model_name']),
});

export const allLogsQuery = (filters: LogFilters, now: number) => ({
  ...sharedQuery(filters, now),
  ...containing(filters, ['token_name', 'model_name', 'username']),
  username: filters.username,
  channel: filters.channel,
  group: filters.group,
  ...(filters.channel_name !== '' && { channel_name: filters.channel_name }),
  ...(filters.about !== '' && { about: filters.about }),
});

const sharedQuery = (filters: LogFilters, now: number) => ({
  type: filters.type,
  token_name: filters.token_name,
  model_name: filters.model_name,
  // Only sent if set, because other servers may not support them.
  ...(filters.reason !== '' && { reason: filters.reason }),
  ...(filters.request_id !== '' && { request_id: filters.request_id }),
  ...(filters.view !== '' && { view: filters.view }),
  ...(filters.status !== 0 && { status: filters.status }),
  ...(filters.tag !== '' && { tag: filters.tag }),
  ...(filters.text !== '' && { text: filters.text }),
  start_timestamp: filters.start,
  end_timestamp: endOf(filters, now),
});

function containing({ contains }: LogFilters, known: readonly string[]) {
  const names = searchableFieldsIn(contains).filter((name) => known.includes(name));
  return names.length > 0 && { contains: names.join(',') };
}

const texts = ['token_name', 'model_name', 'username', 'group', 'request_id', 'text', 'channel_name'] as const;

export const readFilters = (search: Search): LogFilters => ({
  ...(Object.fromEntries(texts.map((name) => [name, search[name] ?? ''])) as Record<(typeof texts)[number], string>),
  view: isView(search['view']) ? search['view'] : '',
  type: wholeNumber(search['type']) in logTypes ? wholeNumber(search['type']) : 0,
  start: wholeNumber(search['start']),
  end: wholeNumber(search['end']) || undefined,
  channel: wholeNumber(search['channel']),
  tag: parseTag(search['tag'] ?? '') ? (search['tag'] ?? '') : '',
  status: Math.min(wholeNumber(search['status']), 999),
  reason: isReason(search['reason']) ? search['reason'] : '',
  contains: containsOf(search),
  about: aboutOf(search['about'] ?? ''),
  before: /^\d{1,15}-\d{1,15}$/.exec(search['before'] ?? '')?.[0] ?? '',
});

const aboutOf = (text: string): string => (parseLogSubject(text) ? text : '');

/** Only filters with a text can match partially. */
const containsOf = (search: Search): string =>
  searchableFieldsIn(search['contains'] ?? '')
    .filter((name) => search[name]?.trim())
    .sort()
    .join(',');

/** Adds or removes a name. */
export const toggleContains = (contains: string, name: string): string => {
  const names: readonly string[] = searchableFieldsIn(contains);
  return (names.includes(name) ? names.filter((each) => each !== name) : [...names, name]).toSorted().join(',');
};

const isView = (text: string | undefined): text is LogView => Object.hasOwn(logViews, text ?? '');

const isReason = (text: string | undefined): text is LogReason => Object.hasOwn(logReasons, text ?? '');

/** Omits default values from the URL. */
export const writeFilters = (filters: LogFilters): Search =>
  Object.fromEntries(Object.entries(filters).map(([name, value]) => [name, value ? String(value) : undefined]));

/** Number of active filters, not counting the excluded ones. */
export const countFilters = (filters: LogFilters, save: readonly string[]): number =>
  Object.entries(writeFilters(filters)).filter(([name, value]) => value && name !== 'contains' && !save.includes(name))
    .length;

export const hasFilters = (filters: LogFilters): boolean =>
  Object.values(writeFilters({ ...filters, view: '' })).some(Boolean);

export const draftOf = (filters: LogFilters, now: number): LogDraft => ({
  token_name: filters.token_name,
  model_name: filters.model_name,
  start: formatTime(filters.start),
  end: formatTime(endOf(filters, now)),
  channel: filters.channel === 0 ? '' : String(filters.channel),
  username: filters.username,
  group: filters.group,
  request_id: filters.request_id,
  contains: filters.contains,
});

interface ParsedDraft {
  readonly filters: LogFilters;
  /** Fields with invalid text. */
  readonly wrong: readonly (keyof LogDraft)[];
}

/** Parses the texts. An unedited field keeps its exact filter value. */
export function parseDraft(draft: LogDraft, shown: LogDraft, applied: LogFilters): ParsedDraft {
  const start = draft.start === shown.start ? applied.start : timeOf(draft.start);
  const end = draft.end === shown.end ? applied.end : timeOf(draft.end);
  const channel = /^\d{0,15}$/.test(draft.channel.trim()) ? Number(draft.channel) : Number.NaN;
  const filters = {
    ...applied,
    token_name: draft.token_name.trim(),
    model_name: draft.model_name.trim(),
    start: start ?? 0,
    end,
    channel,
    username: draft.username.trim(),
    group: draft.group.trim(),
    request_id: draft.request_id.trim(),
    contains: containsOf({ ...draft }),
    // Changed filters restart the list.
    before: '',
  };
  return { filters, wrong: (['start', 'end', 'channel'] as const).filter((name) => Number.isNaN(filters[name])) };
}

/** Undefined for an empty field; NaN if invalid. */
function timeOf(text: string): number | undefined {
  if (text.trim() === '') return undefined;
  const seconds = parseTime(text);
  return seconds === undefined ? Number.NaN : Math.max(seconds, 0);
}

const wholeNumber = (text: string | undefined): number => (/^\d{1,15}$/.test(text ?? '') ? Number(text) : 0);
