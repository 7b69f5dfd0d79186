import { channelTypes } from '@headgate/contract';
import { providers } from '@headgate/providers';

/** Known models by channel type id. */
export const modelsByType: Readonly<Record<string, string[]>> = Object.fromEntries(
  Object.entries(providers).map(([id, { models }]) => [id, [...models]]),
);

/** Timestamp that One API reports for every model; clients only need it to be present. */
const created = 1_626_777_600;

const owners = new Map<string, string>();
for (const { id, name } of channelTypes) {
  for (const model of providers[id].models) if (!owners.has(model)) owners.set(model, name);
}

/** All known models, each name once, owned by the first type in the console's order that offers it. */
export const knownModels = [...owners].map(([id, owned_by]) => ({ id, object: 'model', created, owned_by }));
