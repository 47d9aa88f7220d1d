import type { ChosenChannelSettings } from './channel-settings.service';

/** Who decides about the empty topic of a channel, and how. */
export const TOPICS_POLICIES = [
  'inherit',
  'allow_empty_topic',
  'disable_empty_topic',
  'empty_topic_only',
] as const;

/** One of {@link TOPICS_POLICIES}. */
export type TopicsPolicy = (typeof TOPICS_POLICIES)[number];

/** Longest name of a topic, in Unicode code points. */
export const MAX_TOPIC_LENGTH = 60;

/** What is chosen for new channels beside their names. */
export interface ChannelOptions {
  readonly isPrivate: boolean;
  readonly isWebPublic: boolean;
  readonly isDefault: boolean;
  /** Not chosen: public channels show their history, private ones do not. */
  readonly isHistoryPublicToSubscribers?: boolean | null;
  /** Days; -1 for ever, null to follow the organization. */
  readonly messageRetentionDays: number | null;
  readonly topicsPolicy: TopicsPolicy;
  readonly folderId: number | null;
  readonly groupSettings: ChosenChannelSettings;
}

/** Where every channel starts unless something else is chosen. */
export const DEFAULT_CHANNEL_OPTIONS: ChannelOptions = {
  isPrivate: false,
  isWebPublic: false,
  isDefault: false,
  messageRetentionDays: null,
  topicsPolicy: 'inherit',
  folderId: null,
  groupSettings: {},
};

/** Public channels show their history regardless of the option. */
export function historyIsPublic(options: ChannelOptions): boolean {
  return !options.isPrivate || (options.isHistoryPublicToSubscribers ?? false);
}
