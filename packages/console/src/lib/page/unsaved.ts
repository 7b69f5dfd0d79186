import { useEffect } from 'react';

const forms = new Set<symbol>();

/** True if a form has unsaved input. */
export const hasUnsavedWork = (): boolean => forms.size > 0;

/** Registers unsaved input while true. */
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
