/** Fields sent by an edit: only the changed ones, or the whole form for servers that clear omitted fields. */
export type EditMode = 'changes' | 'whole';

/** Fields to send for an edit of a form that was opened with `before`. */
export const editedFields = <T extends object>(before: T, after: T, extent: EditMode): Partial<T> =>
  extent === 'whole' ? after : changedFields(before, after);

/** Fields of `after` that differ from `before`, so that concurrent changes of other fields are not overwritten. */
export function changedFields<T extends object>(before: T, after: T): Partial<T> {
  const same = (name: string) =>
    JSON.stringify(before[name as keyof T]) === JSON.stringify(after[name as keyof T]) && name in before;
  return Object.fromEntries(Object.entries(after).filter(([name]) => !same(name))) as Partial<T>;
}
