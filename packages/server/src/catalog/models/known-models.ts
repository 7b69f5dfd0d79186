import { channelTypes } from '@headgate/contract';
import { providers } from '@headgate/providers';

/** The models each channel type is known to offer, by type id. */
export const modelsByType: Readonly<Record<string, string[]>> = Object.fromEntries(
  Object.entries(providers).map(([id, { models }]) => [id, [...models]]),
);

/** The time the ancestor gave every model: clients only need that it is there. */
const created = 1_626_777_600;

const owners = new Map<string, string>();
for (const { id, name } of channelTypes) {
  for (const model of providers[id].models) if (!owners.has(model)) owners.set(model, name);
}

/** The models that are known, each name once, owned by the first type in the console's order that offers it. */
export const knownModels = [...owners].map(([id, owned_by]) => ({ id, object: 'model', created, owned_by }));
