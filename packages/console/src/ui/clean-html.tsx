import DOMPurify from 'dompurify';
import { marked } from 'marked';
import { useMemo } from 'react';

interface CleanHtmlProps {
  readonly text: string;
  readonly isMarkdown?: boolean;
  /** False: no pictures, sounds or films, whose addresses could carry words of the page to another site. */
  readonly hasMedia?: boolean;
}

DOMPurify.addHook('afterSanitizeAttributes', (node) => {
  if (node.tagName === 'A') node.setAttribute('rel', 'noopener noreferrer');
});

const neverAllowed = ['style', 'form', 'input', 'button'];
const media = ['img', 'picture', 'source', 'audio', 'video', 'track', 'svg', 'image'];

const clean = (html: string, hasMedia: boolean) =>
  DOMPurify.sanitize(html, {
    FORBID_TAGS: hasMedia ? neverAllowed : [...neverAllowed, ...media],
    FORBID_ATTR: ['style'],
    ADD_ATTR: ['target'],
  });

/** HTML that came from people: whatever could run or restyle the page is taken out. */
export function CleanHtml({ text, isMarkdown = false, hasMedia = true }: CleanHtmlProps) {
  const html = useMemo(
    () => clean(isMarkdown ? marked.parse(text, { async: false }) : text, hasMedia),
    [text, isMarkdown, hasMedia],
  );
  // biome-ignore lint/security/noDangerouslySetInnerHtml: sanitised just above; the only place that writes HTML
  return <div dangerouslySetInnerHTML={{ __html: html }} />;
}
