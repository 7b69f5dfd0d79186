import type { Access } from '@headgate/contract';
import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { type ComponentType, memo } from 'react';
import { loadDeferredTexts } from '../i18n/translate.ts';
import { currentUser, useUser } from '../lib/account/session.ts';
import { returnTo } from '../lib/page/address.ts';
import { useIsStatusPending } from '../lib/page/status.ts';
import { LoadFailed, NotAllowed, NotFound } from './error-pages.tsx';
import { Frame } from './frame.tsx';
import { loadScreen } from './lazy-screen.ts';
import { canOpen, type Page, routePath } from './page.ts';
import { pages } from './pages.ts';

/**
 * Renders the page for users with access, and an explanation for others. Memoized, because a navigation rerenders its
 * routes several times.
 */
function guarded(Screen: ComponentType, access: Access): ComponentType {
  return memo(function GuardedScreen() {
    const isStatusPending = useIsStatusPending();
    const user = useUser();
    // Pages behind the login use the gateway's extensions, which are unknown before the status has loaded.
    if (isStatusPending && access !== 'visitor') return null;
    return canOpen(access, user) ? <Screen /> : <NotAllowed />;
  });
}

/** Lazy-loads the code of a page and its translations. */
async function screenWithTexts({ load, usesInitialTexts }: Page): Promise<ComponentType> {
  const [screen] = await Promise.all([load(), usesInitialTexts || loadDeferredTexts()]);
  return screen;
}

const rootRoute = createRootRoute({ component: memo(Frame), notFoundComponent: NotFound });

function routeOf(page: Page) {
  return createRoute({
    getParentRoute: () => rootRoute,
    path: routePath(page.path),
    component: lazyRouteComponent(async () => ({
      default: guarded(await loadScreen(() => screenWithTexts(page)), page.access),
    })),
    errorComponent: LoadFailed,
    beforeLoad: ({ location }) => {
      if (page.access === 'visitor' || currentUser()) return;
      throw redirect({ to: '/login', state: returnTo(location.href), replace: true });
    },
  });
}

const routeTree = rootRoute.addChildren(pages.map(routeOf));

export const createConsoleRouter = () =>
  createRouter({
    routeTree,
    defaultPreload: 'intent',
    // Plain strings instead of JSON, so that numbers stay readable in the URL.
    parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
    stringifySearch: (search) => {
      const given = Object.entries(search).filter(([, value]) => value !== undefined && value !== '');
      const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
      return text && `?${text}`;
    },
    scrollRestoration: true,
  });
