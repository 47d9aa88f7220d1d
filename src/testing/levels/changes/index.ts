import type { LevelChange } from '../level-change';
import { change240Reloading } from './0240-reloading';
import { change241AnnouncementChannels } from './0241-announcement-channels';
import { change242UpdateAnnouncements } from './0242-update-announcements';
import { change243AuthenticationMethods } from './0243-authentication-methods';
import { change244RequiredProfileFields } from './0244-required-profile-fields';
import { change245InformationDensity } from './0245-information-density';
import { change246UniqueNames } from './0246-unique-names';
import { change248ChannelMessages } from './0248-channel-messages';
import { change249MessagesWithReactions } from './0249-messages-with-reactions';
import { change250ChannelsInNarrows } from './0250-channels-in-narrows';
import { change251QuotaOfUploads } from './0251-quota-of-uploads';
import { change252ChangingProfileFields } from './0252-changing-profile-fields';
import { change253ReceivingTyping } from './0253-receiving-typing';
import { change254ChannelCreators } from './0254-channel-creators';
import { change256FirstMessages } from './0256-first-messages';
import { change257OrganizationAddress } from './0257-organization-address';
import { change258MentionGroups } from './0258-mention-groups';
import { change260ChangingMentionGroups } from './0260-changing-mention-groups';
import { change261InvitingToDefaults } from './0261-inviting-to-defaults';
import { change262StatusOfOthers } from './0262-status-of-others';
import { change263PresenceUpdates } from './0263-presence-updates';
import { change264CreatingPublicChannels } from './0264-creating-public-channels';
import { change265FollowedTopics } from './0265-followed-topics';
import { change266CreatingPrivateChannels } from './0266-creating-private-channels';
import { change267HearingOfJoining } from './0267-hearing-of-joining';
import { change268GoingToSentMessages } from './0268-going-to-sent-messages';
import { change269ChannelView } from './0269-channel-view';
import { change270DirectMessageGroups } from './0270-direct-message-groups';
import { change271ConversationOfAMessage } from './0271-conversation-of-a-message';
import { change272UploadAddress } from './0272-upload-address';
import { change273Thumbnails } from './0273-thumbnails';
import { change275MovingPictures } from './0275-moving-pictures';
import { change276PictureSizes } from './0276-picture-sizes';
import { change280CreatingWebPublicChannels } from './0280-creating-web-public-channels';
import { change281DeletingAnyMessage } from './0281-deleting-any-message';
import { change283ManagingGroups } from './0283-managing-groups';
import { change284RenderedVersions } from './0284-rendered-versions';
import { change285DetachedUploads } from './0285-detached-uploads';
import { change286UploadName } from './0286-upload-name';
import { change288PresenceHistory } from './0288-presence-history';
import { change289WhoWasSubscribed } from './0289-who-was-subscribed';
import { change290DeactivatedGroups } from './0290-deactivated-groups';
import { change291DeletingOwnMessages } from './0291-deleting-own-messages';
import { change292GroupCreators } from './0292-group-creators';
import { change293PrivateExports } from './0293-private-exports';
import { change295ResumableUploads } from './0295-resumable-uploads';
import { change296FieldsThatPeopleChange } from './0296-fields-that-people-change';
import { change297SavedSnippets } from './0297-saved-snippets';
import { change299MakingGroups } from './0299-making-groups';
import { change300MessagesById } from './0300-messages-by-id';
import { change301JoiningGroups } from './0301-joining-groups';
import { change305AddingToGroups } from './0305-adding-to-groups';
import { change307AddingEmoji } from './0307-adding-emoji';
import { change308LeavingGroups } from './0308-leaving-groups';
import { change310MovingBetweenChannels } from './0310-moving-between-channels';
import { change311SubgroupsAtOnce } from './0311-subgroups-at-once';
import { change313PeopleByAddress } from './0313-people-by-address';
import { change314GroupsOfTheOrganization } from './0314-groups-of-the-organization';
import { change315ArchivedChannels } from './0315-archived-channels';
import { change316MovingBetweenTopics } from './0316-moving-between-topics';
import { change317NumberOfTheGroup } from './0317-number-of-the-group';
import { change318OptionsOfIntegrations } from './0318-options-of-integrations';
import { change319LinksToMessages } from './0319-links-to-messages';
import { change320RemovingSubscribers } from './0320-removing-subscribers';
import { change321Inviting } from './0321-inviting';
import { change322InvitingToGroups } from './0322-inviting-to-groups';
import { change323ActiveChannels } from './0323-active-channels';
import { change324RemovingFromGroups } from './0324-removing-from-groups';
import { change325AdministeringChannels } from './0325-administering-channels';
import { change326DescriptionsOfPermissions } from './0326-descriptions-of-permissions';
import { change327IncomingDirectMessages } from './0327-incoming-direct-messages';
import { change328PeopleOfReactions } from './0328-people-of-reactions';
import { change329TimeZoneHint } from './0329-time-zone-hint';
import { change330DefaultChannels } from './0330-default-channels';
import { change331ModerationRequests } from './0331-moderation-requests';
import { change332DeletionOfOrganizations } from './0332-deletion-of-organizations';
import { change333Posting } from './0333-posting';
import { change334EmptyTopic } from './0334-empty-topic';
import { change335ChannelAddressOfSenders } from './0335-channel-address-of-senders';
import { change336PictureTypes } from './0336-picture-types';
import { change338LongestPassword } from './0338-longest-password';
import { change341SubscribingOthers } from './0341-subscribing-others';
import { change342AddingSubscribers } from './0342-adding-subscribers';
import { change343DeletedChannels } from './0343-deleted-channels';
import { change344MakingBots } from './0344-making-bots';
import { change347LinksToTopics } from './0347-links-to-topics';
import { change348GuestWarning } from './0348-guest-warning';
import { change350Summaries } from './0350-summaries';
import { change351TypingWhileEditing } from './0351-typing-while-editing';
import { change352MentioningMany } from './0352-mentioning-many';
import { change355FlagsOfUnsubscribed } from './0355-flags-of-unsubscribed';
import { change356ListingChannels } from './0356-listing-channels';
import { change357SubscribingOneself } from './0357-subscribing-oneself';
import { change358EditHistoryPolicy } from './0358-edit-history-policy';
import { change363BillingAdministrators } from './0363-billing-administrators';
import { change364DenseMode } from './0364-dense-mode';
import { change365MovedMessages } from './0365-moved-messages';
import { change366MutedMessages } from './0366-muted-messages';
import { change367ResolvingTopics } from './0367-resolving-topics';
import { change368EditingSnippets } from './0368-editing-snippets';
import { change369TourVideo } from './0369-tour-video';
import { change378ArchivingAsAnUpdate } from './0378-archiving-as-an-update';
import { change379ExpectedContent } from './0379-expected-content';
import { change380Moderators } from './0380-moderators';
import { change381Reminders } from './0381-reminders';
import { change382Reporting } from './0382-reporting';
import { change383ViewOfTopics } from './0383-view-of-topics';
import { change384SomePeople } from './0384-some-people';
import { change385ResolvedNotices } from './0385-resolved-notices';
import { change386ReactivatingGroups } from './0386-reactivating-groups';
import { change388Unarchiving } from './0388-unarchiving';
import { change389ChannelFolders } from './0389-channel-folders';
import { change390NavigationViews } from './0390-navigation-views';
import { change392TopicsPolicy } from './0392-topics-policy';
import { change394SubscriberCounts } from './0394-subscriber-counts';
import { change396MovingInChannels } from './0396-moving-in-channels';
import { change397TellingNewSubscribers } from './0397-telling-new-subscribers';
import { change398SummaryOfUnread } from './0398-summary-of-unread';
import { change399ListingReminders } from './0399-listing-reminders';
import { change401ViewOfUnreadTopic } from './0401-view-of-unread-topic';
import { change402ResolvingInChannels } from './0402-resolving-in-channels';
import { change403OptionsOfAddresses } from './0403-options-of-addresses';
import { change405Sound } from './0405-sound';
import { change406DevicesForEncryptedNotifications } from './0406-devices-for-encrypted-notifications';
import { change407DeletingInChannels } from './0407-deleting-in-channels';
import { change409EncryptedNotifications } from './0409-encrypted-notifications';
import { change410LimitsOfFolders } from './0410-limits-of-folders';
import { change411FoldersInTheSidebar } from './0411-folders-in-the-sidebar';
import { change412SomeSubscribers } from './0412-some-subscribers';
import { change414OrderOfFolders } from './0414-order-of-folders';
import { change415NotesOfReminders } from './0415-notes-of-reminders';
import { change416TextOfTheWelcome } from './0416-text-of-the-welcome';
import { change417CreatingAChannel } from './0417-creating-a-channel';
import { change418ReorderedFolders } from './0418-reordered-folders';
import { change419SimplePresence } from './0419-simple-presence';
import { change426Zephyr } from './0426-zephyr';
import { change427CreatorsOfChannels } from './0427-creators-of-channels';
import { change431FoldersInTheInbox } from './0431-folders-in-the-inbox';
import { change433ImportedPeople } from './0433-imported-people';
import { change434NoticesInChannels } from './0434-notices-in-channels';
import { change435KindsOfReports } from './0435-kinds-of-reports';
import { change437PicturesInPlace } from './0437-pictures-in-place';
import { change438AccessOfOwners } from './0438-access-of-owners';
import { change439EventsOfSettings } from './0439-events-of-settings';
import { change440ChannelsOfOthers } from './0440-channels-of-others';
import { change441BeginningTopics } from './0441-beginning-topics';
import { change442Tenor } from './0442-tenor';
import { change443TimeOfUploads } from './0443-time-of-uploads';
import { change444SettingsOfOthers } from './0444-settings-of-others';
import { change445MessagesByDate } from './0445-messages-by-date';
import { change446MentionsOfSomebody } from './0446-mentions-of-somebody';
import { change447ShortNamesOfBots } from './0447-short-names-of-bots';
import { change451WrongTimes } from './0451-wrong-times';
import { change452ExpiredMessages } from './0452-expired-messages';
import { change453MovingPictureRating } from './0453-moving-picture-rating';
import { change454NameOfTheHomeView } from './0454-name-of-the-home-view';
import { change455FieldsForMatching } from './0455-fields-for-matching';
import { change456FirstPictures } from './0456-first-pictures';
import { change459WhatPeopleLeave } from './0459-what-people-leave';
import { change463KeysOfBots } from './0463-keys-of-bots';
import { change464NewDescription } from './0464-new-description';
import { change466IdentityOfTheOrganization } from './0466-identity-of-the-organization';
import { change468Devices } from './0468-devices';
import { change469SizeOfPreviews } from './0469-size-of-previews';
import { change470RemovingDevices } from './0470-removing-devices';
import { change471LinkifiersBackwards } from './0471-linkifiers-backwards';
import { change472MessagesOfUploads } from './0472-messages-of-uploads';
import { change474RecordsOfBots } from './0474-records-of-bots';
import { change477WorkplacePeople } from './0477-workplace-people';
import { change478AlternativeLinks } from './0478-alternative-links';
import { change479NamesOfFieldTypes } from './0479-names-of-field-types';
import { change479StateOfThumbnails } from './0479-state-of-thumbnails';
import { change481IdleQueues } from './0481-idle-queues';
import { change486Klipy } from './0486-klipy';
import { change487PresenceInShort } from './0487-presence-in-short';
import { change489MessagesInArchivedChannels } from './0489-messages-in-archived-channels';
import { change490DeletedPeople } from './0490-deleted-people';
import { change491SingleEmoji } from './0491-single-emoji';
import { change493Webex } from './0493-webex';
import { change495Quicktime } from './0495-quicktime';

/** Every change that older servers are known by, the oldest first. */
export const CHANGES: readonly LevelChange[] = [
  change240Reloading,
  change241AnnouncementChannels,
  change242UpdateAnnouncements,
  change243AuthenticationMethods,
  change244RequiredProfileFields,
  change245InformationDensity,
  change246UniqueNames,
  change248ChannelMessages,
  change249MessagesWithReactions,
  change250ChannelsInNarrows,
  change251QuotaOfUploads,
  change252ChangingProfileFields,
  change253ReceivingTyping,
  change254ChannelCreators,
  change256FirstMessages,
  change257OrganizationAddress,
  change258MentionGroups,
  change260ChangingMentionGroups,
  change261InvitingToDefaults,
  change262StatusOfOthers,
  change263PresenceUpdates,
  change264CreatingPublicChannels,
  change265FollowedTopics,
  change266CreatingPrivateChannels,
  change267HearingOfJoining,
  change268GoingToSentMessages,
  change269ChannelView,
  change270DirectMessageGroups,
  change271ConversationOfAMessage,
  change272UploadAddress,
  change273Thumbnails,
  change275MovingPictures,
  change276PictureSizes,
  change280CreatingWebPublicChannels,
  change281DeletingAnyMessage,
  change283ManagingGroups,
  change284RenderedVersions,
  change285DetachedUploads,
  change286UploadName,
  change288PresenceHistory,
  change289WhoWasSubscribed,
  change290DeactivatedGroups,
  change291DeletingOwnMessages,
  change292GroupCreators,
  change293PrivateExports,
  change295ResumableUploads,
  change296FieldsThatPeopleChange,
  change297SavedSnippets,
  change299MakingGroups,
  change300MessagesById,
  change301JoiningGroups,
  change305AddingToGroups,
  change307AddingEmoji,
  change308LeavingGroups,
  change310MovingBetweenChannels,
  change311SubgroupsAtOnce,
  change313PeopleByAddress,
  change314GroupsOfTheOrganization,
  change315ArchivedChannels,
  change316MovingBetweenTopics,
  change317NumberOfTheGroup,
  change318OptionsOfIntegrations,
  change319LinksToMessages,
  change320RemovingSubscribers,
  change321Inviting,
  change322InvitingToGroups,
  change323ActiveChannels,
  change324RemovingFromGroups,
  change325AdministeringChannels,
  change326DescriptionsOfPermissions,
  change327IncomingDirectMessages,
  change328PeopleOfReactions,
  change329TimeZoneHint,
  change330DefaultChannels,
  change331ModerationRequests,
  change332DeletionOfOrganizations,
  change333Posting,
  change334EmptyTopic,
  change335ChannelAddressOfSenders,
  change336PictureTypes,
  change338LongestPassword,
  change341SubscribingOthers,
  change342AddingSubscribers,
  change343DeletedChannels,
  change344MakingBots,
  change347LinksToTopics,
  change348GuestWarning,
  change350Summaries,
  change351TypingWhileEditing,
  change352MentioningMany,
  change355FlagsOfUnsubscribed,
  change356ListingChannels,
  change357SubscribingOneself,
  change358EditHistoryPolicy,
  change363BillingAdministrators,
  change364DenseMode,
  change365MovedMessages,
  change366MutedMessages,
  change367ResolvingTopics,
  change368EditingSnippets,
  change369TourVideo,
  change378ArchivingAsAnUpdate,
  change379ExpectedContent,
  change380Moderators,
  change381Reminders,
  change382Reporting,
  change383ViewOfTopics,
  change384SomePeople,
  change385ResolvedNotices,
  change386ReactivatingGroups,
  change388Unarchiving,
  change389ChannelFolders,
  change390NavigationViews,
  change392TopicsPolicy,
  change394SubscriberCounts,
  change396MovingInChannels,
  change397TellingNewSubscribers,
  change398SummaryOfUnread,
  change399ListingReminders,
  change401ViewOfUnreadTopic,
  change402ResolvingInChannels,
  change403OptionsOfAddresses,
  change405Sound,
  change406DevicesForEncryptedNotifications,
  change407DeletingInChannels,
  change409EncryptedNotifications,
  change410LimitsOfFolders,
  change411FoldersInTheSidebar,
  change412SomeSubscribers,
  change414OrderOfFolders,
  change415NotesOfReminders,
  change416TextOfTheWelcome,
  change417CreatingAChannel,
  change418ReorderedFolders,
  change419SimplePresence,
  change426Zephyr,
  change427CreatorsOfChannels,
  change431FoldersInTheInbox,
  change433ImportedPeople,
  change434NoticesInChannels,
  change435KindsOfReports,
  change437PicturesInPlace,
  change438AccessOfOwners,
  change439EventsOfSettings,
  change440ChannelsOfOthers,
  change441BeginningTopics,
  change442Tenor,
  change443TimeOfUploads,
  change444SettingsOfOthers,
  change445MessagesByDate,
  change446MentionsOfSomebody,
  change447ShortNamesOfBots,
  change451WrongTimes,
  change452ExpiredMessages,
  change453MovingPictureRating,
  change454NameOfTheHomeView,
  change455FieldsForMatching,
  change456FirstPictures,
  change459WhatPeopleLeave,
  change463KeysOfBots,
  change464NewDescription,
  change466IdentityOfTheOrganization,
  change468Devices,
  change469SizeOfPreviews,
  change470RemovingDevices,
  change471LinkifiersBackwards,
  change472MessagesOfUploads,
  change474RecordsOfBots,
  change477WorkplacePeople,
  change478AlternativeLinks,
  change479NamesOfFieldTypes,
  change479StateOfThumbnails,
  change481IdleQueues,
  change486Klipy,
  change487PresenceInShort,
  change489MessagesInArchivedChannels,
  change490DeletedPeople,
  change491SingleEmoji,
  change493Webex,
  change495Quicktime,
];
