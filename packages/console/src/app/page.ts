import type { Access, Status } from '@headgate/contract';
import type { TablerIcon } from '@tabler/icons-react';
import type { ComponentType } from 'react';
import type { Words } from '../i18n/translate.ts';

/** The parts of the menu, in their order; the unnamed ones carry no heading. */
export const menuGroups = ['start', 'use', 'run', 'end'] as const;
export type MenuGroup = (typeof menuGroups)[number];

export const menuGroupWords: Readonly<Partial<Record<MenuGroup, Words>>> = { use: 'Workspace', run: 'Administration' };

interface MenuEntry {
  readonly words: Words;
  readonly icon: TablerIcon;
  readonly group: MenuGroup;
  /** Absent: always shown to those who may open the page. */
  readonly when?: (status: Status) => boolean;
}

/** One address of the console: the router, the guard and the menu are derived from rows of this shape. */
export interface Page {
  /** The address of the page, with `:name` for parameters. */
  readonly path: string;
  /** Visitors are sent to the login page; users below the level see that they are not allowed. */
  readonly access: Access;
  readonly load: () => Promise<ComponentType>;
  readonly menu?: MenuEntry;
  /** What the tab of the browser is called, where that is not the menu entry. */
  readonly title?: Words;
  /** The menu entry that is lit on this page, when it is not the one whose address it continues. */
  readonly menuOf?: string;
  /** Is read with the first words of the language: a page to sign in, a list. */
  readonly readsFirstWords?: true;
  /** Shown without the navigation, in the middle of the screen. */
  readonly bare?: true;
}

/** The address of a page as the router names its route. */
export const routePath = (path: string): string => path.replace(/:(\w+)/g, '$$$1');
