import type { TablerIcon } from '@tabler/icons-react';

/** The parts of the palette, in their order. */
export const paletteGroups = ['Pages', 'Actions', 'Channels', 'Users', 'Tokens', 'Models'] as const;
export type PaletteGroup = (typeof paletteGroups)[number];

/** One thing that can be opened or done. */
export interface PaletteEntry {
  readonly id: string;
  readonly group: PaletteGroup;
  readonly words: string;
  /** What tells it from others of the same name. */
  readonly hint?: string;
  readonly icon: TablerIcon;
  readonly run: () => void;
}
