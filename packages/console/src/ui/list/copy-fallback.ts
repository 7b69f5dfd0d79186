import { type RefObject, useRef } from 'react';

interface CopyFallback {
  readonly searchRef: RefObject<HTMLInputElement | null>;
  readonly showForCopying: (text: string) => void;
}

/** A text that cannot be copied is put into the search box, where it can be selected; it is not searched for. */
export function useCopyFallback(): CopyFallback {
  const searchRef = useRef<HTMLInputElement>(null);
  const showForCopying = (text: string) => {
    const field = searchRef.current;
    if (!field) return;
    // React only notices a value that was set behind its back.
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, text);
    field.dispatchEvent(new Event('input', { bubbles: true }));
    field.select();
  };
  return { searchRef, showForCopying };
}
