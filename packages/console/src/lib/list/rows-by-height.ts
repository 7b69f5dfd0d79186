import { maxPageSize, pageSize } from '@headgate/contract';

/** Height above and below the rows of a list, in pixels. */
const chromeHeight = 280;
/** Page sizes are rounded to a multiple of this. */
const step = 5;

/** Number of rows that fill a window of this height. */
export function rowsByHeight(windowHeight: number, rowHeight: number): number {
  const fitting = Math.floor((windowHeight - chromeHeight) / rowHeight / step) * step;
  return Math.min(Math.max(fitting, pageSize), maxPageSize);
}
