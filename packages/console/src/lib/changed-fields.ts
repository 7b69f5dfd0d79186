/** The fields of `after` that differ from `before`: what somebody else has changed meanwhile is not written back. */
export function changedFields<T extends object>(before: T, after: T): Partial<T> {
  const same = (name: string) =>
    JSON.stringify(before[name as keyof T]) === JSON.stringify(after[name as keyof T]) && name in before;
  return Object.fromEntries(Object.entries(after).filter(([name]) => !same(name))) as Partial<T>;
}
