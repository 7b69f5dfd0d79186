import DOMPurify, { type Config } from 'dompurify';
import { marked } from 'marked';
import { useMemo } from 'react';

/** Owners may use images and videos; model output is limited to text. */
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
  // Allowlist for model output: nothing that loads data, overlays the page, imitates it or takes input.
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

/** Longer texts are shown as plain text, because streaming would parse them again with every chunk. */
const maxMarkdownLength = 200_000;
/** Long runs without spaces, or of emphasis characters, take the Markdown parser seconds or minutes. */
const slowPattern = /\S{1000}|[*_~]{100}/;

/** Renders Markdown, or returns the text unchanged if parsing would take too long or nest too deep. */
function renderMarkdown(text: string): string {
  if (text.length <= maxMarkdownLength && !slowPattern.test(text)) {
    try {
      return marked.parse(text, { async: false });
    } catch {
      // Text shown unparsed.
    }
  }
  const lines = document.createElement('pre');
  lines.textContent = text;
  return lines.outerHTML;
}

/** Sanitizes HTML from users or models: scripts and styles are removed. */
export function CleanHtml({ text, isMarkdown = false, author = 'owner' }: CleanHtmlProps) {
  const html = useMemo(
    () => DOMPurify.sanitize(isMarkdown ? renderMarkdown(text) : text, configs[author]),
    [text, isMarkdown, author],
  );
  // biome-ignore lint/security/noDangerouslySetInnerHtml: sanitised just above; the only place that writes HTML
  return <div dangerouslySetInnerHTML={{ __html: html }} />;
}
