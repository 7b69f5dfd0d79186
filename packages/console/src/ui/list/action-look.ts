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

/** True if the actions differ only in their handlers. Actions with the same label have the same icon. */
export const haveSameLook = (before: readonly RowAction[], after: readonly RowAction[]): boolean =>
  lookOf(before) === lookOf(after);

const lookOf = (actions: readonly RowAction[]): string =>
  JSON.stringify(actions, (_, value) => (typeof value === 'function' ? '' : value));
