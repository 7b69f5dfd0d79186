/** SQLite's log can take up to 16 MB in addition to the file. */
export const minFreeBytes = 32 * 1024 * 1024;
