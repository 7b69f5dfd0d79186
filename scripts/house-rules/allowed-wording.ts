/**
 * Texts with wording that plain-english.ts would report but that is correct, by file. Each entry is a part of the
 * text.
 */
export const allowedWording: Readonly<Record<string, readonly string[]>> = {};
