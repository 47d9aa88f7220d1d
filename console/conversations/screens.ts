import { ROOT } from '../router';
import { lazy } from '../parts/lazy';
import type { Screen } from '../parts/screen';
import { ChannelPage, TopicPage, TopicsPage } from './channel-page';
import { DirectPage, NewDirectPage, NewMessagePage } from './direct-page';
import { FeedPage, MentionsPage, SearchPage, StarredPage } from './found-page';
import { InboxPage } from './inbox-page';
import { OwnChannelsPage, OwnMessagesPage } from './lists-page';
import { RecentPage } from './recent-page';

const DraftsPage = lazy(async () => (await import('../menus')).DraftsPage);
const ScheduledPage = lazy(async () => (await import('../menus')).ScheduledPage);
const RemindersPage = lazy(async () => (await import('../menus')).RemindersPage);

/** Pages for reading and writing messages. The navigation lists channels and people instead. */
export const conversationScreens: readonly Screen[] = [
  { path: ROOT, show: InboxPage },
  { path: `${ROOT}/recent`, show: RecentPage },
  { path: `${ROOT}/feed`, show: FeedPage },
  { path: `${ROOT}/mentions`, show: MentionsPage },
  { path: `${ROOT}/starred`, show: StarredPage },
  { path: `${ROOT}/own/channels`, show: OwnChannelsPage },
  { path: `${ROOT}/own/messages`, show: OwnMessagesPage },
  { path: `${ROOT}/drafts`, show: DraftsPage },
  { path: `${ROOT}/scheduled`, show: ScheduledPage },
  { path: `${ROOT}/reminders`, show: RemindersPage },
  { path: `${ROOT}/search`, show: SearchPage },
  { path: `${ROOT}/new`, show: NewMessagePage },
  { path: `${ROOT}/direct`, show: NewDirectPage },
  { path: `${ROOT}/direct/:people`, show: DirectPage },
  { path: `${ROOT}/channels/:channel`, show: ChannelPage },
  { path: `${ROOT}/channels/:channel/topics`, show: TopicsPage },
  { path: `${ROOT}/channels/:channel/topic`, show: TopicPage },
  { path: `${ROOT}/channels/:channel/topic/:topic`, show: TopicPage },
];
