import { createTheme, localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { type TextKey, translate } from '../i18n/translate.ts';
import { CallFailure, isTransient } from '../lib/api/failure.ts';
import { reportFailure } from '../lib/api/report-failure.ts';
import { colorSchemeKey } from '../lib/page/color-scheme.ts';
import { useStatus } from '../lib/page/status.ts';
import { HasNavigation } from './frame.tsx';
import { createConsoleRouter } from './router.tsx';

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: FailureMeta;
    mutationMeta: FailureMeta;
  }
}

interface FailureMeta extends Record<string, unknown> {
  /** Failures are not shown, except the end of the session, because the call is optional. */
  readonly quiet?: boolean;
  /** The caller reports every failure, including an expired session, which must not redirect twice. */
  readonly reportedByCaller?: boolean;
  /** Headline above the failure message. */
  readonly headline?: TextKey;
  /** Headline above the failure message, unless the server sent a reason. */
  readonly headlineUnlessRejected?: TextKey;
}

const retries = 1;

function createQueryClient(): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({ onError: (error, query) => report(error, query.meta) }),
    mutationCache: new MutationCache({
      onError: (error, _variables, _result, mutation) => report(error, mutation.meta),
    }),
    defaultOptions: {
      queries: {
        staleTime: 5000,
        retry: (count, error) => count < retries && isTransient(error),
        retryDelay: 500,
        refetchOnWindowFocus: false,
      },
    },
  });
}

function report(error: unknown, meta: FailureMeta | undefined): void {
  if (meta?.reportedByCaller) return;
  const isExpiry = error instanceof CallFailure && error.status === 401;
  const isRejection = error instanceof CallFailure && error.kind === 'refused';
  const text = meta?.headline ?? (isRejection ? undefined : meta?.headlineUnlessRejected);
  if (isExpiry || !meta?.quiet) reportFailure(error, text && translate(text));
}

const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: { light: 7, dark: 8 },
  autoContrast: true,
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontFamily:
    '"Inter Variable", "Inter fallback", system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "PingFang SC", "Microsoft YaHei", sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
  fontSizes: { xs: '0.75rem', sm: '0.875rem', md: '0.875rem', lg: '1rem', xl: '1.125rem' },
  // Colors for text, controls and headings.
  fontWeights: { regular: '400', medium: '550', bold: '650' },
  headings: {
    fontWeight: '650',
    sizes: {
      h1: { fontSize: '1.375rem', lineHeight: '1.3' },
      h2: { fontSize: '1.0625rem', lineHeight: '1.4' },
      h3: { fontSize: '0.9375rem', lineHeight: '1.45' },
    },
  },
  components: {
    Tooltip: { defaultProps: { openDelay: 50, closeDelay: 70, withArrow: true } },
    Modal: {
      defaultProps: { centered: true, closeButtonProps: { 'aria-label': 'Close' } },
      styles: { title: { fontSize: '1rem', fontWeight: 600 } },
    },
    Drawer: {
      defaultProps: { closeButtonProps: { 'aria-label': 'Close' } },
      styles: { title: { fontSize: '1rem', fontWeight: 600 } },
    },
    // Help below the field, as everywhere.
    InputWrapper: { defaultProps: { inputWrapperOrder: ['label', 'input', 'description', 'error'] } },
    Badge: { styles: { root: { letterSpacing: 0 } } },
  },
});

const colorSchemes = localStorageColorSchemeManager({ key: colorSchemeKey });
const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';
// Read by the scroll lock behind dialogs, which adds a style element.
Object.assign(globalThis, { __webpack_nonce__: nonce });

interface AppProps {
  /** False in component tests of pages, because the navigation is a third of what they render. */
  readonly hasNavigation?: boolean;
}

export function App({ hasNavigation = true }: AppProps) {
  const [queries] = useState(createQueryClient);
  const [router] = useState(createConsoleRouter);
  return (
    <QueryClientProvider client={queries}>
      <Themed>
        <HasNavigation value={hasNavigation}>
          <RouterProvider router={router} />
        </HasNavigation>
      </Themed>
    </QueryClientProvider>
  );
}

function Themed({ children }: { readonly children: ReactNode }) {
  const { theme: gatewayTheme } = useStatus();
  return (
    <MantineProvider
      theme={theme}
      colorSchemeManager={colorSchemes}
      defaultColorScheme={gatewayTheme === 'default' ? 'auto' : gatewayTheme}
      getStyleNonce={() => nonce}
      deduplicateInlineStyles
    >
      {children}
    </MantineProvider>
  );
}
