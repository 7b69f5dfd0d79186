export type { AccessScope, Data, Endpoint, Input } from '@headgate/contract';
export { apiTables as api } from '@headgate/contract';
export { type CallInput, type CallOptions, createClient, type FileAnswer, type HeadgateClient } from './client.ts';
export type { ClientOptions } from './gateway.ts';
export { type FailureKind, HeadgateError } from './headgate-error.ts';
