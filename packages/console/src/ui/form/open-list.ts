import { useState } from 'react';

/**
 * Whether the list of a field is open. A closed list stays in the document, so a long one gets its options when it
 * opens: otherwise, each typed letter renders them all.
 */
export function useOpenList() {
  const [isOpen, setOpen] = useState(false);
  return { isOpen, handlers: { onDropdownOpen: () => setOpen(true), onDropdownClose: () => setOpen(false) } };
}
