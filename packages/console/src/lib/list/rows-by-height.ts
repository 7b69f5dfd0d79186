import { largestPageSize, pageSize } from '@headgate/contract';

/** What stands above and below the rows of a list, in pixels. */
const aroundRows = 280;
/** Pages of a round number are easier to keep count of. */
const step = 5;

/** How many rows a page has so that it fills a window of this height and little is left below its end. */
export function rowsByHeight(windowHeight: number, rowHeight: number): number {
  const fitting = Math.floor((windowHeight - aroundRows) / rowHeight / step) * step;
  return Math.min(Math.max(fitting, pageSize), largestPageSize);
}
