/** Texts that may keep wording which plain-english.ts reports, by file. Each entry is a part of the text. */
export const allowedWording: Readonly<Record<string, readonly string[]>> = {};
