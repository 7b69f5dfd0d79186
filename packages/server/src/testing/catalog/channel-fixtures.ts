import { channelApi, channelStatus, type Input, splitCommas } from '@headgate/contract';
import type { ApiClient } from '@headgate/testkit';
import type { Selectable } from 'kysely';
import { expect } from 'vitest';
import { currentTable } from '../../platform/db/current-tables.ts';
import type { Schema } from '../../platform/db/schema.ts';
import type { TestApp } from '../test-app.ts';

type ChannelBody = Input<typeof channelApi.create>['body'];

/** Minimal channel. */
export const plainChannel = { name: 'plain', key: 'sk-plain', models: 'gpt-4o' } as const satisfies ChannelBody;

/** Creates a channel through the API and returns the stored row. */
export async function createChannel(app: TestApp, admin: ApiClient, given: ChannelBody = {}) {
  await admin.call(channelApi.create, { body: { ...plainChannel, ...given } });
  const [newest] = (await storedChannels(app)).toReversed();
  if (!newest) throw new Error('no channel was stored');
  return newest;
}

export const storedChannel = (app: TestApp, id: number) =>
  app.database
    .selectFrom(currentTable(app.database, 'channels'))
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow();

/** All channels, oldest first. */
export const storedChannels = (app: TestApp) =>
  app.database.selectFrom(currentTable(app.database, 'channels')).selectAll().orderBy('id').execute();

/** Expects the index of groups and models to match the channels table. */
export async function expectConsistentAbilities(app: TestApp): Promise<void> {
  const stored = await app.database.selectFrom('abilities').selectAll().execute();
  const expected = (await storedChannels(app)).flatMap((channel) =>
    splitCommas(channel.group).flatMap((group) =>
      splitCommas(channel.models).map((model) => ({
        group,
        model,
        channel_id: channel.id,
        priority: channel.priority,
        weight: channel.weight,
        enabled: channel.status === channelStatus.enabled ? 1 : 0,
      })),
    ),
  );
  expect(inOrder(stored)).toEqual(inOrder(expected));
}

type Ability = Selectable<Schema['abilities']>;
const keyOf = ({ channel_id, group, model }: Ability) => JSON.stringify([channel_id, group, model]);
const inOrder = (rows: readonly Ability[]) => rows.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
