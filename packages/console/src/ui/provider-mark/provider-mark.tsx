import { lazy, Suspense } from 'react';
import { providerLooks, unknownLook } from './provider-looks.ts';
import styles from './provider-mark.module.css';

// The glyphs of all providers weigh more than the list that shows some: they follow when the page is there.
const ProviderGlyph = lazy(async () => ({ default: (await import('./provider-glyph.tsx')).ProviderGlyph }));

/** A small tile by which the provider of a channel is known; for the eye only, beside its name. */
export function ProviderMark({ type }: { readonly type: number }) {
  const { letters, color } = providerLooks[type] ?? unknownLook;
  // Drawn by the style sheet, so that they are not read, searched or copied with the name.
  const drawn = <span className={styles['letters']} data-letters={letters} />;
  return (
    <span className={styles['mark']} data-hue={color} aria-hidden>
      <Suspense fallback={drawn}>
        <ProviderGlyph type={type}>{drawn}</ProviderGlyph>
      </Suspense>
    </span>
  );
}
