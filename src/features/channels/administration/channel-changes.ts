import type { GroupSettingChange } from '../../user-groups/user-groups.module';
import type { ChannelRecord } from '../store/channel.directory';
import type { ChannelGroupSetting } from '../store/channel-group-settings';
import type { TopicsPolicy } from '../store/channel-options';

/** What to change about a channel; what is not given stays as it is. */
export interface ChannelChanges {
  readonly name?: string;
  /** Markdown. */
  readonly description?: string;
  readonly isPrivate?: boolean;
  readonly isWebPublic?: boolean;
  /** Not given with `isPrivate`: public channels show their history, private ones do not. */
  readonly isHistoryPublicToSubscribers?: boolean;
  readonly isDefault?: boolean;
  /** Days; -1 for ever, null to follow the organization. */
  readonly messageRetentionDays?: number | null;
  /** Unarchives a channel. Archiving is a separate operation. */
  readonly isArchived?: false;
  /** Null takes the channel out of its folder. */
  readonly folderId?: number | null;
  readonly topicsPolicy?: TopicsPolicy;
  readonly groupSettings: ChannelGroupSettingChanges;
}

/** New values of permissions, each with the value that the caller takes to be in force. */
export type ChannelGroupSettingChanges = Readonly<Partial<Record<ChannelGroupSetting, GroupSettingChange>>>;

/** Who reads a channel, and from when on. */
export type Privacy = Pick<ChannelRecord, 'isPrivate' | 'isWebPublic' | 'isHistoryPublicToSubscribers'>;

/** Whether the two differ in who reads the channel, or from when on. */
export function hasOtherPrivacy(before: Privacy, after: Privacy): boolean {
  return (
    before.isPrivate !== after.isPrivate ||
    before.isWebPublic !== after.isWebPublic ||
    before.isHistoryPublicToSubscribers !== after.isHistoryPublicToSubscribers
  );
}
