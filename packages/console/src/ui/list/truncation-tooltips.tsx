import { Tooltip } from '@mantine/core';
import { type RefObject, useEffect, useState } from 'react';

interface TruncatedText {
  readonly target: HTMLElement;
  readonly text: string;
}

/**
 * Tooltips with the full text of truncated cells, on hover and focus. One instance per table, so that cells stay
 * cheap.
 */
export function TruncationTooltips({ of }: { readonly of: RefObject<HTMLElement | null> }) {
  const [cut, setCut] = useState<TruncatedText>();
  useEffect(() => {
    const table = of.current;
    if (!table) return;
    const look = ({ target }: Event) => {
      const found = target instanceof Element ? truncatedTextAt(target) : undefined;
      setCut((before) => (before?.target === found?.target ? before : found));
    };
    const forget = () => setCut(undefined);
    const listened = { pointerover: look, focusin: look, pointerleave: forget, focusout: forget };
    for (const [name, listener] of Object.entries(listened)) table.addEventListener(name, listener);
    return () => {
      for (const [name, listener] of Object.entries(listened)) table.removeEventListener(name, listener);
    };
  }, [of]);
  return (
    cut && (
      <Tooltip key={cut.text} opened target={cut.target} label={cut.text} multiline maw={420} position="bottom-start" />
    )
  );
}

/** Elements with their own tooltip are skipped. */
function truncatedTextAt(at: Element): TruncatedText | undefined {
  const target = at.closest('td');
  if (!target || at.closest('[data-hint]')) return undefined;
  for (let part: Element | null = at; part && target.contains(part); part = part.parentElement)
    if (part.scrollWidth > part.clientWidth + 1 && part.clientWidth > 0) return { target, text: fullTextOf(part) };
  return undefined;
}

function fullTextOf(part: Element): string {
  const hint = part.querySelector<HTMLElement>('[data-words]')?.dataset['words'];
  return (
    hint ??
    [...part.childNodes]
      .map(({ textContent }) => textContent)
      .filter(Boolean)
      .join(' ')
  );
}
