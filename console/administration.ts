/** The pages that few people open, and seldom: they are loaded together, with the first of them. */
export { BotPage } from './bots/bot-page';
export { BotsPage } from './bots/bots-page';
export { ChannelSettingsPage } from './channels/channel-settings-page';
export { ChannelsPage } from './channels/channels-page';
export { GroupPage } from './groups/group-page';
export { GroupsPage } from './groups/groups-page';
export { AuditLogPage } from './organization/audit-log-page';
export { EmojiPage } from './organization/emoji-page';
export { LinkifiersPage } from './organization/linkifiers-page';
export { OrganizationPage } from './organization/organization-page';
export { ImportPage } from './people/import-page';
export { InvitationsPage } from './people/invitations-page';
export { PeoplePage } from './people/people-page';
export { PersonPage } from './people/person-page';
export { HealthPage } from './server/health-page';
export { SettingsPage } from './settings/settings-page';
export { WhyPage } from './why/why-page';
