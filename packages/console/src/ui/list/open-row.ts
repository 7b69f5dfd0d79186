import type { MouseEvent } from 'react';

/** Opens a row when it is clicked. A control inside the row does the same by keyboard. */
export const openOnClick = (onOpen: (() => void) | undefined) =>
  onOpen && {
    'data-opens': true,
    onClick: (event: MouseEvent<HTMLElement>) => {
      const isControl = event.target instanceof Element && event.target.closest('a, button, input, label, select');
      // A click that ends a text selection does not open the row.
      if (!isControl && !window.getSelection()?.toString()) onOpen();
    },
  };
