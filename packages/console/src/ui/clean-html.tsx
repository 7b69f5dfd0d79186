import DOMPurify, { type Config } from 'dompurify';
import { marked } from 'marked';
import { useMemo } from 'react';

/** An owner may show pictures and films; whoever answers by machine may write text. */
type Author = 'owner' | 'machine';

interface CleanHtmlProps {
  readonly text: string;
  readonly isMarkdown?: boolean;
  readonly author?: Author;
}

DOMPurify.addHook('afterSanitizeAttributes', (node) => {
  if (node.tagName === 'A') node.setAttribute('rel', 'noopener noreferrer');
});

const configs: Readonly<Record<Author, Config>> = {
  owner: { FORBID_TAGS: ['style', 'form', 'input', 'button'], FORBID_ATTR: ['style'], ADD_ATTR: ['target'] },
  // Nothing that fetches, floats above the page, looks like a part of it or asks for input: only what is named here.
  machine: {
    ALLOWED_TAGS: [
      ...['p', 'br', 'hr', 'div', 'span', 'a', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'blockquote', 'pre', 'code', 'kbd'],
      ...['em', 'strong', 'b', 'i', 'u', 's', 'del', 'ins', 'mark', 'small', 'sub', 'sup', 'q', 'abbr', 'var', 'samp'],
      ...['ul', 'ol', 'li', 'dl', 'dt', 'dd', 'details', 'summary'],
      ...['table', 'caption', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td'],
    ],
    ALLOWED_ATTR: ['href', 'title', 'start', 'align', 'colspan', 'rowspan', 'dir', 'lang'],
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
  },
};

/** Longer texts than anybody reads would be read anew with every word that comes. */
const longestMarkdown = 200_000;
/** Runs without a space, and of marks, over which the reader of Markdown takes seconds or minutes. */
const endlessRun = /\S{1000}|[*_~]{100}/;

/** Text as it is where reading it as Markdown would take too long, or nests deeper than that can go. */
function markdown(text: string): string {
  if (text.length <= longestMarkdown && !endlessRun.test(text)) {
    try {
      return marked.parse(text, { async: false });
    } catch {
      // Shown as it is.
    }
  }
  const lines = document.createElement('pre');
  lines.textContent = text;
  return lines.outerHTML;
}

/** HTML that came from people or models: whatever could run or restyle the page is taken out. */
export function CleanHtml({ text, isMarkdown = false, author = 'owner' }: CleanHtmlProps) {
  const html = useMemo(
    () => DOMPurify.sanitize(isMarkdown ? markdown(text) : text, configs[author]),
    [text, isMarkdown, author],
  );
  // biome-ignore lint/security/noDangerouslySetInnerHtml: sanitised just above; the only place that writes HTML
  return <div dangerouslySetInnerHTML={{ __html: html }} />;
}
