import { defineEvent } from '../../../platform/events/server-event';
import type { ChannelFolderChangesWire, ChannelFolderWire } from './channel-folders.wire';

/** A folder was made. */
export const channelFolderAdded = defineEvent<{ channel_folder: ChannelFolderWire }>('channel_folder', 'add');

/** Some properties of a folder changed. */
export const channelFolderUpdated = defineEvent<{
  channel_folder_id: number;
  data: ChannelFolderChangesWire;
}>('channel_folder', 'update');

/** The folders stand in another order: the IDs of all of them, first to last. */
export const channelFoldersReordered = defineEvent<{ order: readonly number[] }>('channel_folder', 'reorder');
