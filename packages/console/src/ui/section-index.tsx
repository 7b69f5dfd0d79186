import { type RefObject, useEffect, useState } from 'react';
import { useTranslation } from '../i18n/translate.ts';
import styles from './section-index.module.css';

interface Heading {
  readonly id: string;
  readonly text: string;
}

interface SectionIndexProps {
  /** Container of the sections; each has an h2. */
  readonly of: RefObject<HTMLElement | null>;
}

/** Index of the sections of a long page, with the current one marked. Hidden if there is no room. */
export function SectionIndex({ of }: SectionIndexProps) {
  const { t } = useTranslation();
  const headings = useHeadings(of);
  const here = useCurrentHeading(headings);
  if (headings.length < 2) return null;
  return (
    <aside aria-label={t('On this page')} className={styles['index']}>
      <p className={styles['title']} aria-hidden>
        {t('On this page')}
      </p>
      <ul className={styles['list']}>
        {headings.map(({ id, text }) => (
          <li key={id}>
            <a className={styles['link']} href={`#${id}`} aria-current={id === here ? 'location' : undefined}>
              {text}
            </a>
          </li>
        ))}
      </ul>
    </aside>
  );
}

/** Read from the DOM, because the sections depend on the gateway's features. */
function useHeadings(of: RefObject<HTMLElement | null>): readonly Heading[] {
  const [headings, setHeadings] = useState<readonly Heading[]>([]);
  useEffect(() => {
    const element = of.current;
    if (!element) return;
    const collect = () => {
      const found = [...element.querySelectorAll('h2')].map((heading, index) => {
        heading.id ||= `section-${index}`;
        return { id: heading.id, text: heading.textContent };
      });
      setHeadings((before) => (JSON.stringify(before) === JSON.stringify(found) ? before : found));
    };
    collect();
    const observer = new MutationObserver(collect);
    observer.observe(element, { childList: true, subtree: true, characterData: true });
    return () => observer.disconnect();
  }, [of]);
  return headings;
}

/** Last heading above the upper third of the window. */
function useCurrentHeading(headings: readonly Heading[]): string | undefined {
  const [here, setHere] = useState<string>();
  useEffect(() => {
    const look = () => {
      const line = window.innerHeight / 3;
      const passed = headings.filter(
        ({ id }) => (document.getElementById(id)?.getBoundingClientRect().top ?? 0) < line,
      );
      setHere((passed.at(-1) ?? headings[0])?.id);
    };
    look();
    window.addEventListener('scroll', look, { passive: true });
    return () => window.removeEventListener('scroll', look);
  }, [headings]);
  return here;
}
