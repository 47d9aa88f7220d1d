import { Injectable } from '@nestjs/common';
import { isGuest } from '../../../platform/actor';
import { initialState, stateFor, type StateReader } from '../../../platform/client-state/initial-state.hooks';
import { Hooks } from '../../../platform/hooks/hooks';
import { Config } from '../../../platform/config/config';
import type { Queryable } from '../../../platform/sql/queryable';
import type { OrganizationGroupSetting } from '../../organization-settings/organization-settings.module';
import { PermissionService } from '../../user-groups/user-groups.module';
import { ChannelAccess } from '../access/channel.access';
import { ChannelDirectory } from '../store/channel.directory';
import { ChannelFoldersService } from '../folders/channel-folders.service';
import type { ChannelFolderWire } from '../folders/channel-folders.api';
import {
  channelFoldersState,
  channelLimitsState,
  channelPermissionsState,
  channelsState,
  defaultChannelsState,
} from './listing.api';
import { ListChannelsService } from './list-channels.service';
import { MAX_NOTIFIED_USERS } from '../subscriptions/subscribe.service';
import { ARCHIVED_CHANNELS } from '../store/channel-records.api';

/** Initial state for clients: channels, folders, and the person's permissions regarding channels. */
@Injectable()
export class ChannelsStateService {
  constructor(
    private readonly channels: ChannelDirectory,
    private readonly access: ChannelAccess,
    private readonly permissions: PermissionService,
    private readonly folders: ChannelFoldersService,
    private readonly config: Config,
    listing: ListChannelsService,
    hooks: Hooks,
  ) {
    hooks.on(
      initialState,
      stateFor('stream', (_, { reader, capabilities }) =>
        channelsState(listing.visible(reader, capabilities.has(ARCHIVED_CHANNELS))),
      ),
    );
    hooks.on(
      initialState,
      stateFor('default_streams', (_, { reader }) => defaultChannelsState(this.defaultChannelIds(reader))),
    );
    hooks.on(
      initialState,
      stateFor('channel_folders', async (db, { reader }) =>
        channelFoldersState(await this.visibleFolders(db, reader)),
      ),
    );
    hooks.on(
      initialState,
      stateFor('realm', () => this.limits()),
    );
    hooks.on(
      initialState,
      stateFor('realm_user', (_, { reader }) => this.ownPermissions(reader)),
    );
  }

  /** Empty for guests, who do not see all of them. */
  private defaultChannelIds(reader: StateReader | null): number[] {
    return reader === null || isGuest(reader) ? [] : this.channels.defaultIds();
  }

  /** People without an account see folders that contain a channel they see. */
  private async visibleFolders(db: Queryable, reader: StateReader | null): Promise<ChannelFolderWire[]> {
    const folders = await this.folders.list(true, db);
    if (reader) return folders;
    const channels = this.channels.all().filter((channel) => this.access.hasMetadataAccess(null, channel));
    const folderIds = new Set(channels.map(({ folderId }) => folderId));
    return folders.filter(({ id }) => folderIds.has(id));
  }

  private limits() {
    return channelLimitsState({
      maxNotifiedUsers: MAX_NOTIFIED_USERS,
      isWebPublicOffered: this.config.webPublicStreamsEnabled,
    });
  }

  private ownPermissions(reader: StateReader | null) {
    const may = (setting: OrganizationGroupSetting) =>
      reader !== null && this.permissions.allowsInOrganization(reader, setting);
    return channelPermissionsState({
      createsPublic: may('can_create_public_channel_group'),
      createsPrivate: may('can_create_private_channel_group'),
      createsWebPublic: this.access.webPublicChannelsOffered && may('can_create_web_public_channel_group'),
      subscribesOthers: may('can_add_subscribers_group'),
    });
  }
}
