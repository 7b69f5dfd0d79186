import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { createQueryClient } from '../lib/api/query-client.ts';
import { colorSchemeKey } from '../lib/page/color-scheme.ts';
import { useStatus } from '../lib/page/status.ts';
import { createConsoleRouter } from './router.tsx';
import { theme } from './theme.ts';

const colorSchemes = localStorageColorSchemeManager({ key: colorSchemeKey });
const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';
// Read by the scroll lock behind dialogs, which adds a style element.
Object.assign(globalThis, { __webpack_nonce__: nonce });

export function App() {
  const [queries] = useState(createQueryClient);
  const [router] = useState(createConsoleRouter);
  return (
    <QueryClientProvider client={queries}>
      <Themed>
        <RouterProvider router={router} />
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
