import { useRouterState } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useTranslation } from '../i18n/translate.ts';
import { useStatus } from '../lib/page/status.ts';
import { type Page, routePath } from './page.ts';
import { pages } from './pages.ts';

/** The home page is titled with the gateway's name only. */
const titleOf = ({ path, title, menu }: Page) => (path === '/' ? undefined : (title ?? menu?.label));

/** Sets the document title to the page and the gateway's name. Used once, by the frame. */
export function usePageTitle(): void {
  const { t } = useTranslation();
  const { system_name } = useStatus();
  const routeId = useRouterState({ select: ({ matches }) => matches.at(-1)?.routeId as string | undefined });
  const page = pages.find(({ path }) => routePath(path) === routeId);
  const title = page ? titleOf(page) : ('Page not found' as const);
  useEffect(() => {
    document.title = title ? `${t(title)} · ${system_name}` : system_name;
  }, [title, system_name, t]);
}
