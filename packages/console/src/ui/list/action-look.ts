import type { RowAction } from './column.ts';

/** The actions, with handlers that call those of the latest actions with the same labels. */
export function callLatest(
  actions: readonly RowAction[],
  latest: () => readonly RowAction[] | undefined,
): readonly RowAction[] {
  return actions.map((action) => {
    const current = () => latest()?.find(({ label }) => label === action.label);
    return {
      ...action,
      ...(action.onClick && { onClick: () => current()?.onClick?.() }),
      ...(action.items && { items: callLatest(action.items, () => current()?.items) }),
    };
  });
}

const plainFields = ['label', 'icon', 'to', 'isDanger', 'isDisabled', 'isBusy', 'isPrimary', 'ifManaged'] as const;

/** True if the actions differ only in their handlers. */
export function haveSameLook(before: readonly RowAction[], after: readonly RowAction[]): boolean {
  return before.length === after.length && before.every((action, index) => looksLike(action, after[index]));
}

function looksLike(before: RowAction, after: RowAction | undefined): boolean {
  return (
    after !== undefined &&
    plainFields.every((field) => before[field] === after[field]) &&
    (before.onClick === undefined) === (after.onClick === undefined) &&
    JSON.stringify(before.search) === JSON.stringify(after.search) &&
    haveSameLook(before.items ?? [], after.items ?? [])
  );
}
