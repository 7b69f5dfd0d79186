import type { ReactNode } from 'react';
import styles from './provider-glyph.module.css';
import { providerGlyphs } from './provider-glyphs.ts';

interface ProviderGlyphProps {
  readonly type: number;
  /** Shown where there is no glyph. */
  readonly children: ReactNode;
}

/** The sign of a provider in the colour of its tile. */
export function ProviderGlyph({ type, children }: ProviderGlyphProps) {
  const glyph = providerGlyphs[type];
  return glyph ? <span className={styles['glyph']} style={{ maskImage: `url("${glyph}")` }} /> : children;
}
