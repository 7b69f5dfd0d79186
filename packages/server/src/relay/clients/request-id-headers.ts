/** The number of a request, under each name that its client may look for. */
export const requestIdHeaders = (requestId: string, header?: string): Readonly<Record<string, string>> => ({
  'x-request-id': requestId,
  ...(header !== undefined && { [header]: requestId }),
});
