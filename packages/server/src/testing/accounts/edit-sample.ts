import type { Endpoint } from '@headgate/contract';
import type { ApiClient } from '@headgate/testkit';

export interface EditFixture {
  readonly client: ApiClient;
  readonly id: number;
  /** Organization of the object. */
  readonly within?: number;
}

export interface EditSample {
  readonly read: Endpoint;
  readonly change: Endpoint;
  readonly remove?: Endpoint;
  /** Creates one object, and a client that may change it. */
  readonly make: () => Promise<EditFixture>;
  readonly bodies: readonly [object, object];
  /** Names of the ID in paths and bodies, for objects of organizations. */
  readonly names?: { readonly path: string; readonly body: string };
}
