import { channelType } from '@headgate/contract';
import { lazy, Suspense } from 'react';
import { providerLetters } from './provider-letters.ts';
import styles from './provider-mark.module.css';

// The glyphs are larger than the list itself, so they are loaded after the page.
const ProviderGlyph = lazy(async () => ({ default: (await import('./provider-glyph.tsx')).ProviderGlyph }));

/** Mantine's `dark` is the page background in the dark scheme. */
const textColorOf = (color: string): string =>
  color === 'dark'
    ? 'light-dark(var(--mantine-color-dark-6), var(--mantine-color-dark-1))'
    : `light-dark(var(--mantine-color-${color}-7), var(--mantine-color-${color}-4))`;

/** Colored tile of a channel type. Decorative, next to its name. */
export function ProviderTile({ type }: { readonly type: number }) {
  const color = channelType(type)?.color ?? 'gray';
  // Rendered with CSS, so that the letters are not read aloud, found by search or copied with the name.
  const letters = <span className={styles['letters']} data-letters={providerLetters(type)} />;
  return (
    <span className={styles['mark']} style={{ color: textColorOf(color) }} data-mark={type} aria-hidden>
      <Suspense fallback={letters}>
        <ProviderGlyph type={type}>{letters}</ProviderGlyph>
      </Suspense>
    </span>
  );
}
