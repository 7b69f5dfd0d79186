/** What an edit sends: what was changed, or all of the form to a server that takes what is left out for emptied. */
export type EditExtent = 'changes' | 'whole';

/** What an edit of this extent sends of a form that was opened with `before`. */
export const editedFields = <T extends object>(before: T, after: T, extent: EditExtent): Partial<T> =>
  extent === 'whole' ? after : changedFields(before, after);

/** The fields of `after` that differ from `before`: what somebody else has changed meanwhile is not written back. */
export function changedFields<T extends object>(before: T, after: T): Partial<T> {
  const same = (name: string) =>
    JSON.stringify(before[name as keyof T]) === JSON.stringify(after[name as keyof T]) && name in before;
  return Object.fromEntries(Object.entries(after).filter(([name]) => !same(name))) as Partial<T>;
}
