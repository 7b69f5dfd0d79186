import { expect, test } from 'vitest';
import {
  allLogsQuery,
  draftOf,
  hasFilters,
  type LogFilters,
  noFilters,
  ownLogsQuery,
  parseDraft,
  readFilters,
  toggleContains,
  writeFilters,
} from './log-filters.ts';

const now = 1_795_000_000;
const some: LogFilters = {
  view: '',
  tag: '',
  status: 0,
  text: '',
  channel_name: '',
  type: 2,
  token_name: 'ci',
  model_name: 'gpt-4o',
  start: now - 3600,
  end: now,
  channel: 7,
  username: 'root',
  group: 'vip',
  reason: '',
  request_id: '',
  contains: 'model_name,username',
  about: 'redemption:12',
  before: '',
};

test('[S9.36 S9.37] defaults to the range from the epoch to an hour from now', () => {
  expect(ownLogsQuery(noFilters, now)).toMatchObject({ start_timestamp: 0, end_timestamp: now + 3600 });
  expect(ownLogsQuery(noFilters, now + 500)).toMatchObject({ end_timestamp: now + 4100 });
});

test("[S7.62] sends neither username nor channel for the user's own logs", () => {
  expect(Object.keys(ownLogsQuery(some, now))).toEqual([
    'type',
    'token_name',
    'model_name',
    'start_timestamp',
    'end_timestamp',
    'contains',
  ]);
  expect(ownLogsQuery(some, now)).toMatchObject({ contains: 'model_name' });
  expect(Object.keys(ownLogsQuery(noFilters, now))).toEqual([
    'type',
    'token_name',
    'model_name',
    'start_timestamp',
    'end_timestamp',
  ]);
  expect(allLogsQuery(some, now)).toMatchObject({ username: 'root', channel: 7 });
});

test('round-trips filters through the URL, and omits defaults', () => {
  expect(readFilters(writeFilters(some))).toEqual(some);
  expect(readFilters(writeFilters({ ...some, type: 5, reason: 'timeout' }))).toMatchObject({ reason: 'timeout' });
  expect(readFilters({})).toEqual(noFilters);
  expect(Object.values(writeFilters(noFilters)).every((value) => value === undefined)).toBe(true);
  expect([hasFilters(noFilters), hasFilters(some)]).toEqual([false, true]);
});

test('ignores invalid URL parameters', () => {
  expect(readFilters({ type: '9', start: '-1', end: 'soon', channel: '1e9', reason: 'because', about: 'x:1' })).toEqual(
    noFilters,
  );
});

test('keeps filters that were not edited, including an open-ended range', () => {
  const shown = draftOf(noFilters, now);
  expect(parseDraft({ ...shown, token_name: ' ci ' }, shown, noFilters)).toEqual({
    filters: { ...noFilters, token_name: 'ci' },
    wrong: [],
  });
});

test('reads typed times and ids, and ignores empty ones', () => {
  const shown = draftOf(noFilters, now);
  const typed = { ...shown, start: '2026-01-02 03:04:05', end: '2026-01-03', channel: ' 12 ' };
  const { filters, wrong } = parseDraft(typed, shown, noFilters);
  expect(wrong).toEqual([]);
  expect(filters.start).toBe(new Date(2026, 0, 2, 3, 4, 5).getTime() / 1000);
  expect(filters.channel).toBe(12);
  expect(parseDraft({ ...shown, start: '', end: ' ', channel: '' }, shown, some).filters).toMatchObject({
    start: 0,
    end: undefined,
    channel: 0,
  });
});

test('returns the names of invalid fields', () => {
  const shown = draftOf(noFilters, now);
  const { wrong } = parseDraft({ ...shown, start: 'yesterday', end: '2026-13-45', channel: 'seven' }, shown, noFilters);
  expect(wrong).toEqual(['start', 'end', 'channel']);
});

test('clamps a time before the epoch', () => {
  const shown = draftOf(noFilters, now);
  expect(parseDraft({ ...shown, start: '1950-01-01 00:00:00' }, shown, noFilters).filters.start).toBe(0);
});

test('keeps partial matching only for filters with text', () => {
  expect(readFilters({ model_name: 'gpt', contains: 'username,model_name,content' })).toMatchObject({
    contains: 'model_name',
  });
  const shown = draftOf(some, now);
  expect(parseDraft({ ...shown, model_name: ' ' }, shown, some).filters.contains).toBe('username');
  expect(toggleContains(toggleContains('username', 'model_name'), 'username')).toBe('model_name');
});
