import type { ReactNode } from 'react';
import styles from './provider-glyph.module.css';
import { providerGlyphs } from './provider-glyphs.ts';

interface ProviderGlyphProps {
  readonly type: number;
  /** Fallback without a glyph. */
  readonly children: ReactNode;
}

/** Logo of a provider in the color of its tile. */
export function ProviderGlyph({ type, children }: ProviderGlyphProps) {
  const glyph = providerGlyphs[type];
  return glyph ? <span className={styles['glyph']} style={{ maskImage: `url("${glyph}")` }} /> : children;
}
