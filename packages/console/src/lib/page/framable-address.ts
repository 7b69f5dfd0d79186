/** True if a page may be embedded: a valid web address outside of the console's origin. */
export function isFramable(address: string, consoleAddress: string): boolean {
  if (!URL.canParse(address, consoleAddress)) return false;
  const { protocol, origin } = new URL(address, consoleAddress);
  return ['http:', 'https:'].includes(protocol) && origin !== new URL(consoleAddress).origin;
}
