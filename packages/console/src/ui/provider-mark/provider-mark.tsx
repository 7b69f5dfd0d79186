import { channelType } from '@headgate/contract';
import { lazy, Suspense } from 'react';
import { providerLetters } from './provider-letters.ts';
import styles from './provider-mark.module.css';

// The glyphs of all providers weigh more than the list that shows some: they follow when the page is there.
const ProviderGlyph = lazy(async () => ({ default: (await import('./provider-glyph.tsx')).ProviderGlyph }));

/** The library's dark is the page itself in the dark scheme. */
const inkOf = (color: string): string =>
  color === 'dark'
    ? 'light-dark(var(--mantine-color-dark-6), var(--mantine-color-dark-1))'
    : `light-dark(var(--mantine-color-${color}-7), var(--mantine-color-${color}-4))`;

/** A small tile in the colour of a channel type by which its provider is known; for the eye only, beside its name. */
export function ProviderMark({ type }: { readonly type: number }) {
  const color = channelType(type)?.color ?? 'gray';
  // Drawn by the style sheet, so that they are not read, searched or copied with the name.
  const letters = <span className={styles['letters']} data-letters={providerLetters(type)} />;
  return (
    <span className={styles['mark']} style={{ color: inkOf(color) }} data-mark={type} aria-hidden>
      <Suspense fallback={letters}>
        <ProviderGlyph type={type}>{letters}</ProviderGlyph>
      </Suspense>
    </span>
  );
}
