/** Addresses are stored without a slash at their end, so that paths can be appended. */
export const withoutTrailingSlash = (address: string): string => address.replace(/\/+$/, '');
