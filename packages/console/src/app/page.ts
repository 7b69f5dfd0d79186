import type { Access, Status } from '@headgate/contract';
import type { TablerIcon } from '@tabler/icons-react';
import type { ComponentType } from 'react';
import type { TextKey } from '../i18n/translate.ts';

/** Menu groups in display order; groups without a label have no heading. */
export const menuGroups = ['start', 'use', 'run', 'end'] as const;
export type MenuGroup = (typeof menuGroups)[number];

export const menuGroupLabels: Readonly<Partial<Record<MenuGroup, TextKey>>> = {
  use: 'Workspace',
  run: 'Administration',
};

interface MenuEntry {
  readonly label: TextKey;
  readonly icon: TablerIcon;
  readonly group: MenuGroup;
  /** Absent: shown to everyone who may open the page. */
  readonly when?: (status: Status) => boolean;
}

/** A page of the console. Router, access guard and menu are derived from these rows. */
export interface Page {
  /** Path with `:name` for parameters. */
  readonly path: string;
  /** Visitors are redirected to login; users without the role see an error. */
  readonly access: Access;
  readonly load: () => Promise<ComponentType>;
  readonly menu?: MenuEntry;
  /** Document title, if it differs from the menu label. */
  readonly title?: TextKey;
  /** Path of the highlighted menu entry, if it is not a prefix of this path. */
  readonly menuPath?: string;
  /** True if the initial translations are sufficient: sign-in pages and lists. */
  readonly usesInitialTexts?: true;
  /** Centered, without navigation. */
  readonly isBare?: true;
}

/** Path in the router's syntax. */
export const routePath = (path: string): string => path.replace(/:(\w+)/g, '$$$1');
