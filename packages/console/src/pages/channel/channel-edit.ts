import { type Channel, channelApi } from '@headgate/contract';
import { queryOptions } from '@tanstack/react-query';
import { changeIfSame, isChangedMeanwhile, type Read, readToEdit } from '../../lib/edit-call.ts';
import { type ChannelForm, openedChannel } from './channel-form.ts';
import type { ChannelUpdate } from './channel-queries.ts';

const readChannel = (id: number, signal?: AbortSignal): Promise<Read<Channel>> =>
  readToEdit(channelApi.get, { params: { id } }, signal && { signal });

/** A channel to be edited. Read once: what a form was opened with is what its changes are told from. */
export const editedChannelQuery = (id: number) =>
  queryOptions({
    queryKey: ['edited-channel', id],
    queryFn: ({ signal }) => readChannel(id, signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

interface Opened {
  readonly form: ChannelForm;
  readonly etag: string | undefined;
}

/**
 * Saves what was changed. Where the channel is another by now, but nothing that the form shows is (a key was added, it was
 * tested and disabled), the change is made all the same; else the refusal is the caller's to tell.
 */
export async function saveChannel(body: ChannelUpdate, { form, etag }: Opened): Promise<void> {
  try {
    await changeIfSame(channelApi.update, { body }, etag);
  } catch (error) {
    if (!isChangedMeanwhile(error)) throw error;
    const now = await readChannel(body.id);
    if (JSON.stringify(openedChannel(now.thing).form) !== JSON.stringify(form)) throw error;
    await changeIfSame(channelApi.update, { body }, now.etag);
  }
}
