import { useEffect } from 'react';

const forms = new Set<symbol>();

/** Whether somebody has typed what is not saved yet. */
export const hasUnsavedWork = (): boolean => forms.size > 0;

/** Makes it known for as long as it holds. */
export function useUnsaved(isUnsaved: boolean): void {
  useEffect(() => {
    if (!isUnsaved) return;
    const form = Symbol('form');
    forms.add(form);
    return () => {
      forms.delete(form);
    };
  }, [isUnsaved]);
}
