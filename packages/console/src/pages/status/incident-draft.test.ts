import { expect, it } from 'vitest';
import { bodyOf, draftOf, invalidFields, newDraft } from './incident-draft.ts';

const draft = { ...newDraft({ title: 'Errors', models: ['gpt-4o'] }, 1_790_000_000), text: 'Some requests fail.' };

it('a new incident is open, starts now and lists the given models', () => {
  expect(bodyOf(draft)).toEqual({
    title: 'Errors',
    text: 'Some requests fail.',
    severity: 'minor',
    models: ['gpt-4o'],
    start_time: 1_790_000_000,
    end_time: 0,
  });
  expect(draftOf({ ...bodyOf(draft), models: ['gpt-4o'], end_time: 0, id: 1, created_time: 1, updates: [] })).toEqual(
    draft,
  );
});

it.each([
  ['nothing', {}, []],
  ['an empty title and text', { title: ' ', text: '' }, ['title', 'text']],
  ['an invalid start', { start: 'soon' }, ['start']],
  ['an end before the start', { end: '2001-01-01 00:00:00' }, ['end']],
  ['an invalid end', { end: 'x' }, ['end']],
])('reports %s', (_, change, wrong) => {
  expect([...invalidFields({ ...draft, ...change })]).toEqual(wrong);
});
