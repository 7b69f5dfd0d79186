/** SQLite writes up to 16 MB ahead of the file itself, and needs room for both. */
export const leastFreeBytes = 32 * 1024 * 1024;
