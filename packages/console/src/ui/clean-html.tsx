import DOMPurify from 'dompurify';
import { marked } from 'marked';
import { useMemo } from 'react';

interface CleanHtmlProps {
  readonly text: string;
  readonly isMarkdown?: boolean;
}

DOMPurify.addHook('afterSanitizeAttributes', (node) => {
  if (node.tagName === 'A') node.setAttribute('rel', 'noopener noreferrer');
});

const clean = (html: string) =>
  DOMPurify.sanitize(html, {
    FORBID_TAGS: ['style', 'form', 'input', 'button'],
    FORBID_ATTR: ['style'],
    ADD_ATTR: ['target'],
  });

/** HTML that came from people: whatever could run or restyle the page is taken out. */
export function CleanHtml({ text, isMarkdown = false }: CleanHtmlProps) {
  const html = useMemo(() => clean(isMarkdown ? marked.parse(text, { async: false }) : text), [text, isMarkdown]);
  // biome-ignore lint/security/noDangerouslySetInnerHtml: sanitised just above; the only place that writes HTML
  return <div dangerouslySetInnerHTML={{ __html: html }} />;
}
