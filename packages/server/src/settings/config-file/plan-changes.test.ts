import { expect, test } from 'vitest';
import { matchStored, planChanges } from './plan-changes.ts';
import { planLines } from './plan-lines.ts';
import type { DesiredObject, Fields, StoredObject } from './planned-change.ts';
import { SecretText } from './secret-text.ts';

const wanted = (name: string, fields: Fields): DesiredObject => ({ name, fields, input: undefined });
const found = (id: number, name: string, fields: Fields): StoredObject => ({ id, name, fields });
const mark = (name: string, id: number, isInFile = true) => ({ kind: 'channel', name, id, isInFile }) as const;
const plan = (given: Partial<Parameters<typeof planChanges>[0]>) =>
  planChanges({ kind: 'channel', wanted: [], found: [], marks: [], isPruning: false, ...given });

test('plans to create missing objects, change different ones field by field, and leave equal ones unchanged', () => {
  const changes = plan({
    wanted: [
      wanted('new', { priority: 1, tag: '' }),
      wanted('other', { priority: 2 }),
      wanted('same', { priority: 3 }),
    ],
    found: [found(1, 'other', { priority: 1 }), found(2, 'same', { priority: 3 })],
    marks: [mark('other', 1), mark('same', 2)],
  });
  expect(planLines(changes)).toEqual([
    '+ channel "new"',
    '    priority: 1',
    '~ channel "other"',
    '    priority: 1 → 2',
    '1 to create, 1 to change, 0 to take over, 0 to delete, 0 to release to the console.',
  ]);
});

test('adopts and reports an existing unmanaged object', () => {
  const changes = plan({
    wanted: [wanted('same', { priority: 3 }), wanted('other', { priority: 2 })],
    found: [found(2, 'same', { priority: 3 }), found(3, 'other', { priority: 1 })],
  });
  expect(changes.map(({ action }) => action)).toEqual(['adopt', 'change']);
  expect(planLines(changes).join('\n')).toContain('managed by the file from now on');
});

test('a managed object is identified by its id, not its current name', () => {
  const marks = [mark('main', 7)];
  const there = [found(7, 'renamed', { priority: 1 }), found(8, 'main', { priority: 1 })];
  expect(matchStored([wanted('main', {})], there, marks).get('main')?.id).toBe(7);
});

test('an ambiguous name is rejected', () => {
  const there = [found(1, 'main', {}), found(2, 'main', {})];
  expect(() => plan({ wanted: [wanted('main', {})], found: there })).toThrow('2 objects have this name');
});

test('[A51.5] only objects that the file once managed are deleted, and only with --prune', () => {
  const given = {
    found: [found(1, 'left', {}), found(2, 'long gone', {}), found(3, 'never', {})],
    marks: [mark('left', 1), mark('long gone', 2, false), mark('deleted by hand', 9)],
  };
  expect(plan(given).map(({ action, name }) => [action, name])).toEqual([['release', 'left']]);
  expect(plan({ ...given, isPruning: true }).map(({ action, name }) => [action, name])).toEqual([
    ['delete', 'left'],
    ['delete', 'long gone'],
  ]);
});

test('[A51.1] a plan reports only that a secret is set, changed or removed', () => {
  const changes = plan({
    wanted: [wanted('new', { key: new SecretText('sk-one') }), wanted('old', { key: new SecretText('sk-two') })],
    found: [found(1, 'old', { key: new SecretText('sk-three'), 'config.sk': new SecretText('sk-four') })],
    marks: [mark('old', 1)],
  });
  const lines = planLines(changes).join('\n');
  expect(lines).toContain('    key: set');
  expect(lines).toContain('    key: changed');
  expect(lines).toContain('    config.sk: removed');
  expect(`${lines}${JSON.stringify(changes)}${String(changes)}`).not.toContain('sk-');
});

test('[A51.3] terminal control sequences are escaped', () => {
  const changes = plan({ wanted: [wanted('\u001b[2J', { tag: '\u001b]0;x\u0007' })] });
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what must not be there.
  expect(planLines(changes).join('')).not.toMatch(/[\u0000-\u001f]/);
});
