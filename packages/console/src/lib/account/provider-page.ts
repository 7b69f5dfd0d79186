import { oauthApi, type RedirectProviderName } from '@headgate/contract';
import { useMutation } from '@tanstack/react-query';
import { callWithEnvelope } from '../api/call.ts';
import { useStatus } from '../page/status.ts';

/** Opens a provider's page in a new window, with a fresh state from the gateway. */
export function useProviderPage() {
  const { github_client_id, lark_client_id } = useStatus();
  const open = useMutation({
    mutationFn: async ({ provider, window: opened }: { provider: RedirectProviderName; window: Window | null }) => {
      try {
        const { data: state = '', url } = await callWithEnvelope(oauthApi.state, { query: { provider } });
        const page = url ?? pageOf(provider, state, { github: github_client_id, lark: lark_client_id });
        // If the popup was blocked, the current window is redirected.
        if (opened) opened.location.href = page;
        else window.location.href = page;
      } catch (error) {
        opened?.close();
        throw error;
      }
    },
  });
  return {
    isPending: open.isPending,
    // Opened during the click: browsers block windows opened later.
    open: (provider: RedirectProviderName) => open.mutate({ provider, window: blankWindow() }),
  };
}

function blankWindow(): Window | null {
  const opened = window.open('about:blank', '_blank');
  if (opened) opened.opener = null;
  return opened;
}

type ClientIds = Readonly<Partial<Record<RedirectProviderName, string>>>;

/** Builds the provider's URL for servers that return only the state, as in the specification. */
function pageOf(provider: RedirectProviderName, state: string, ids: ClientIds): string {
  const client_id = ids[provider] ?? '';
  if (provider === 'github') {
    return `https://github.com/login/oauth/authorize?${new URLSearchParams({ client_id, state, scope: 'user:email' })}`;
  }
  const redirect_uri = `${window.location.origin}/oauth/lark`;
  const query = new URLSearchParams({ client_id, redirect_uri, response_type: 'code', state });
  return `https://accounts.feishu.cn/open-apis/authen/v1/authorize?${query}`;
}
