import type { TablerIcon } from '@tabler/icons-react';
import { createContext } from 'react';

/** Menu icon of the current page, shown where the page is empty. */
export const PageIcon = createContext<TablerIcon | undefined>(undefined);
