import { stripTrailingSlash } from '@headgate/contract';

/** Chat clients into which a key can be copied or opened. */
export const clients = [
  { id: 'next', name: 'ChatGPT Next Web' },
  { id: 'ama', name: 'AMA' },
  { id: 'opencat', name: 'OpenCat' },
  { id: 'lobechat', name: 'LobeChat' },
] as const;

export type ClientId = (typeof clients)[number]['id'];

/** Hosted apps used if the gateway has no chat link. */
const hostedNext = 'https://app.nextchat.dev';
const hostedLobe = 'https://lobehub.com';

interface LinkParts {
  /** Key with its prefix. */
  readonly key: string;
  readonly serverAddress: string;
  readonly chatLink: string;
}

/** Link that opens a client with this key and gateway. */
export function clientLink(client: ClientId, { key, serverAddress, chatLink }: LinkParts): string {
  const server = encodeURIComponent(serverAddress);
  const host = stripTrailingSlash(chatLink);
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
