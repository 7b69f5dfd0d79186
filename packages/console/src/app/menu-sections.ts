import { isAdmin, type SignedInUser, type Status } from '@headgate/contract';
import type { TextKey } from '../i18n/translate.ts';
import { isPageHidden } from '../lib/page/presets.ts';
import { canOpen, type MenuEntry, type Page, sectionLabels } from './page.ts';
import { pages } from './pages.ts';

export type MenuPage = Page & { readonly menu: MenuEntry };

/** A menu entry. Its pages are tabs of each other, and the entry opens the first one. */
export interface MenuSection {
  readonly label: TextKey;
  readonly pages: readonly [MenuPage, ...MenuPage[]];
}

type User = SignedInUser | undefined;

/** Pages with a menu entry or tab. Visitors see the pages that they can open after signing in. */
export const menuPages = (user: User, status: Status): readonly MenuPage[] =>
  pages.filter(
    (page): page is MenuPage =>
      page.menu !== undefined &&
      (page.access === 'user' || canOpen(page.access, user)) &&
      (page.menu.when?.(status, user) ?? true) &&
      !isPageHidden(status.preset, page.path),
  );

/** Only admins have enough pages to need sections; for others, every page is a menu entry. */
export function menuSections(user: User, status: Status): readonly MenuSection[] {
  const shown = menuPages(user, status);
  if (!isAdmin(user)) return shown.map((page) => ({ label: page.menu.label, pages: [page] }));
  return shown.flatMap((page): MenuSection[] => {
    const { section, label } = page.menu;
    const [first = page, ...others] = section ? shown.filter(({ menu }) => menu.section === section) : [page];
    if (first !== page) return [];
    return [{ label: (section && sectionLabels[section]) ?? label, pages: [first, ...others] }];
  });
}

/** True if the address is the page or below it, such as its form, and not another entry. */
export const isPageActive = (pathname: string, { path }: Page): boolean =>
  pathname === path ||
  (pathname.startsWith(`${path}/`) && !pages.some((other) => other.menu && other.path === pathname));

/** Address whose menu entry is highlighted. */
export const highlightedPath = (pathname: string): string =>
  pages.find(({ path }) => path === pathname)?.menuPath ?? pathname;
