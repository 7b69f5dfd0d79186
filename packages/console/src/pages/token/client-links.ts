import { withoutTrailingSlash } from '@headgate/contract';

/** The clients a key can be handed to, by the names people know. */
export const clients = [
  { id: 'next', name: 'ChatGPT Next Web' },
  { id: 'ama', name: 'AMA' },
  { id: 'opencat', name: 'OpenCat' },
  { id: 'lobechat', name: 'LobeChat' },
] as const;

export type ClientId = (typeof clients)[number]['id'];

/** Chat web apps used when the gateway names none. */
const hostedNext = 'https://app.nextchat.dev';
const hostedLobe = 'https://lobehub.com';

interface LinkParts {
  /** The key with its prefix. */
  readonly key: string;
  readonly serverAddress: string;
  readonly chatLink: string;
}

/** The address that opens a client with this key and gateway filled in. */
export function clientLink(client: ClientId, { key, serverAddress, chatLink }: LinkParts): string {
  const server = encodeURIComponent(serverAddress);
  const host = withoutTrailingSlash(chatLink);
  const links: Readonly<Record<ClientId, string>> = {
    next: `${host || hostedNext}/#/?settings=${JSON.stringify({ key, url: serverAddress })}`,
    ama: `ama://set-api-key?server=${server}&key=${key}`,
    opencat: `opencat://team/join?domain=${server}&token=${key}`,
    lobechat: `${host || hostedLobe}/?settings=${JSON.stringify({
      keyVaults: { openai: { apiKey: key, baseURL: `${serverAddress}/v1` } },
    })}`,
  };
  return links[client];
}
