import { type RefObject, useRef } from 'react';

interface CopyFallback {
  readonly searchRef: RefObject<HTMLInputElement | null>;
  readonly showForCopying: (text: string) => void;
}

/** Puts a text that cannot be copied into the search box for manual copying, without searching for it. */
export function useCopyFallback(): CopyFallback {
  const searchRef = useRef<HTMLInputElement>(null);
  const showForCopying = (text: string) => {
    const field = searchRef.current;
    if (!field) return;
    // React ignores a value that is set directly, so the native setter is used.
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, text);
    field.dispatchEvent(new Event('input', { bubbles: true }));
    field.select();
  };
  return { searchRef, showForCopying };
}
