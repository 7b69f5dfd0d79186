export type { AccessScope, Data, Endpoint, Input } from '@headgate/contract';
export { apiTables as api } from '@headgate/contract';
export { type CallInput, type CallOptions, createClient, type FileResponse, type HeadgateClient } from './client.ts';
export type { ClientOptions } from './client-options.ts';
export { type FailureKind, HeadgateError } from './headgate-error.ts';
