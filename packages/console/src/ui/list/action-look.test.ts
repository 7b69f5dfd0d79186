import { IconPencil, IconTrash } from '@tabler/icons-react';
import { describe, expect, it } from 'vitest';
import { callLatest, haveSameLook } from './action-look.ts';
import type { RowAction } from './column.ts';

describe('actions of a row', () => {
  it('look the same if only their handlers differ', () => {
    const look = (change: Partial<RowAction> = {}): RowAction[] => [
      { label: 'Edit', icon: IconPencil, to: '/token/edit/1', search: { from: 1 } },
      {
        label: 'Delete',
        icon: IconTrash,
        onClick: () => undefined,
        items: [{ label: 'Now', icon: IconTrash }],
        ...change,
      },
    ];
    expect(haveSameLook(look(), look())).toBe(true);
    const changes: Partial<RowAction>[] = [
      ...[{ label: 'Remove' }, { to: '/' }, { search: { from: 2 } }, { isDanger: true }],
      ...[{ isDisabled: true }, { isBusy: true }, { isPrimary: true }, { ifManaged: 'refused' as const }],
      { items: [] },
      { items: [{ label: 'Later', icon: IconTrash }] },
    ];
    for (const change of changes) expect(haveSameLook(look(), look(change)), JSON.stringify(change)).toBe(false);
    expect(haveSameLook(look(), look().slice(1))).toBe(false);
    expect(haveSameLook(look().slice(1), look())).toBe(false);
  });

  it('call the latest handlers', () => {
    const calls: string[] = [];
    const actionsOf = (version: string): RowAction[] => [
      { label: 'Edit', icon: IconPencil, onClick: () => calls.push(`edit ${version}`) },
      {
        label: 'More',
        icon: IconPencil,
        items: [{ label: 'Delete', icon: IconTrash, onClick: () => calls.push(version) }],
      },
    ];
    let latest = actionsOf('old');
    const [edit, more] = callLatest(latest, () => latest);
    latest = actionsOf('new');
    edit?.onClick?.();
    more?.items?.[0]?.onClick?.();
    expect(calls).toEqual(['edit new', 'new']);
  });
});
