import type { TablerIcon } from '@tabler/icons-react';

/** Palette groups in display order. */
export const paletteGroups = [
  'Pages',
  'Actions',
  'Requests',
  'Channels',
  'Users',
  'Tokens',
  'Models',
  'Settings',
] as const;
export type PaletteGroup = (typeof paletteGroups)[number];

/** A page to open or an action to run. */
export interface PaletteEntry {
  readonly id: string;
  readonly group: PaletteGroup;
  readonly label: string;
  /** Additional text that is searched, such as the name in the API. */
  readonly alias?: string;
  /** Distinguishes entries with the same name. */
  readonly hint?: string;
  readonly icon: TablerIcon;
  readonly run: () => void;
}
