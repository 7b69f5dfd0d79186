import { productName } from '@headgate/contract';
import { Outlet, useLocation, useNavigate, useRouterState } from '@tanstack/react-router';
import { createContext, lazy, Suspense, useContext, useEffect } from 'react';
import { useTranslation } from '../i18n/translate.ts';
import { onSessionExpired, useUser } from '../lib/account/session.ts';
import { useIsUnreachable } from '../lib/api/reachable.ts';
import { query, returnTo } from '../lib/page/address.ts';
import { showMessage } from '../lib/page/messages.ts';
import { useIsPhone } from '../lib/page/phone.ts';
import { useKnownStatus, useStatus, useStatusSync } from '../lib/page/status.ts';
import { hasUnsavedWork } from '../lib/page/unsaved.ts';
import { useCloseTopDialog } from '../ui/close-top-dialog.ts';
import { ConfirmHost } from '../ui/confirm.tsx';
import { CustomHtml } from '../ui/custom-content.tsx';
import { PageIcon } from '../ui/page-icon.ts';
import { useReturnFocus } from '../ui/return-focus.ts';
import { openSignInAgain, SignInAgainHost } from '../ui/sign-in-again/sign-in-again.tsx';
import { BareHeader } from './bare-header.tsx';
import styles from './frame.module.css';
import { Messages } from './messages.tsx';
import { type Page, routePath } from './page.ts';
import { pages } from './pages.ts';
import { PaletteHost } from './palette/palette.tsx';
import { SectionTabs } from './section-tabs.tsx';
import { UnreachableBanner } from './unreachable-banner.tsx';

/** The home page is titled with the gateway's name only. */
const titleOf = ({ path, title, menu }: Page) => (path === '/' ? undefined : (title ?? menu?.label));

/** Sets the document title to the page and the gateway's name. Used once, by the frame. */
function usePageTitle(): void {
  const { t } = useTranslation();
  const { system_name } = useStatus();
  const routeId = useRouterState({ select: ({ matches }) => matches.at(-1)?.routeId as string | undefined });
  const page = pages.find(({ path }) => routePath(path) === routeId);
  const title = page ? titleOf(page) : ('Page not found' as const);
  useEffect(() => {
    document.title = title ? `${t(title)} · ${system_name}` : system_name;
  }, [title, system_name, t]);
}

// Lazy, because the login page has no navigation.
const Navigation = lazy(async () => ({ default: (await import('./navigation.tsx')).Navigation }));

/** Whether the frame contains the navigation. */
export const HasNavigation = createContext(true);

/** Layout around the pages: navigation, messages, footer. */
export function Frame() {
  useStatusSync();
  usePageTitle();
  useExpiryRedirect();
  useReturnFocus();
  useCloseTopDialog();
  const isPhone = useIsPhone();
  const hasNavigation = useContext(HasNavigation);
  const { pathname } = useLocation();
  const isVisitor = useUser() === undefined;
  const page = pages.find(({ path }) => path === pathname);
  const isBare = page?.isBare || (isVisitor && page?.isBareForVisitors);
  return (
    <>
      <Messages />
      <UnreachableBanner />
      <ConfirmHost />
      <PaletteHost />
      <SignInAgainHost />
      <SkipLink />
      <div className={styles['frame']} data-bare={isBare || undefined} data-centered={page?.isBare || undefined}>
        {isBare && <BareHeader />}
        {!isBare && hasNavigation && (
          <Suspense fallback={<div aria-busy className={isPhone ? styles['topbar'] : styles['sidebar']} />}>
            <Navigation isPhone={isPhone} />
          </Suspense>
        )}
        <div className={styles['content']}>
          <main id="main" tabIndex={-1} className={styles['main']}>
            <SectionTabs />
            <PageIcon value={menuIconOf(page)}>
              <Outlet />
            </PageIcon>
          </main>
          <Footer />
        </div>
      </div>
    </>
  );
}

/** Icon of the page, or of the menu entry under which it is listed. */
const menuIconOf = (page: Page | undefined) =>
  page?.menu?.icon ?? pages.find(({ path }) => path === page?.menuPath)?.menu?.icon;

function SkipLink() {
  const { t } = useTranslation();
  return (
    <a className={styles['skip']} href="#main">
      {t('Skip to content')}
    </a>
  );
}

/**
 * A 401 response redirects to login unless there is unsaved work. On the login page itself, the server's message is
 * shown.
 */
function useExpiryRedirect(): void {
  const navigate = useNavigate();
  useEffect(
    () =>
      onSessionExpired((message) => {
        if (window.location.pathname === '/login') {
          showMessage('error', message);
          return;
        }
        if (hasUnsavedWork()) {
          openSignInAgain();
          return;
        }
        const from = window.location.pathname + window.location.search;
        void navigate({ to: '/login', search: query({ expired: true }), state: returnTo(from) });
      }),
    [navigate],
  );
}

/** The owner's footer, or the product name and version. Nothing is shown before the status has loaded. */
function Footer() {
  const { t } = useTranslation();
  const status = useKnownStatus();
  const isLost = useIsUnreachable();
  const version = [productName, status?.version].filter(Boolean).join(' ');
  return (
    <footer className={styles['footer']}>
      {status?.footer_html ? <CustomHtml text={status.footer_html} /> : version}
      {isLost && ` · ${t('not reachable')}`}
    </footer>
  );
}
