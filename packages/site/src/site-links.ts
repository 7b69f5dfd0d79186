import { posix } from 'node:path';

interface Token {
  readonly type: string;
  readonly children: Token[] | null;
  attrGet(name: string): string | null;
  attrSet(name: string, value: string): void;
}

interface Markdown {
  readonly core: {
    readonly ruler: {
      push(name: string, rule: (state: { readonly tokens: Token[]; readonly env: unknown }) => void): void;
    };
  };
}

/** Folders of docs/ that are not part of the site. */
export const excludedFolders = ['spec', 'security', 'screens'];

/**
 * Makes links written for the repository work on the site. README pages become index pages. Links to files outside of
 * the site (deploy files, the changelog) become plain text.
 */
export function adaptLinks(markdown: Markdown): void {
  markdown.core.ruler.push('adapt-links', ({ tokens, env }) => {
    const { relativePath = '' } = env as { readonly relativePath?: string };
    for (const { children } of tokens) if (children) adaptLinksIn(children, posix.dirname(relativePath));
  });
}

function adaptLinksIn(tokens: Token[], folder: string): void {
  for (let index = tokens.length - 1; index >= 0; index--) {
    const token = tokens[index];
    const href = token?.type === 'link_open' ? (token.attrGet('href') ?? '') : undefined;
    if (token === undefined || href === undefined || /^([a-z]+:|#|\/)/.test(href)) continue;
    if (isOnSite(href, folder)) {
      token.attrSet('href', href.replace(/(^|\/)README\.md(?=$|#)/, '$1index.md'));
    } else {
      const close = tokens.findIndex((other, at) => at > index && other.type === 'link_close');
      tokens.splice(close, 1);
      tokens.splice(index, 1);
    }
  }
}

function isOnSite(href: string, folder: string): boolean {
  const [top = ''] = posix.join(folder, href).split('/');
  return top !== '..' && !excludedFolders.includes(top);
}
