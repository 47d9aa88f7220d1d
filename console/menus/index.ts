/** Menus and their dialogs, drafts and scheduled messages, loaded together on first use. */
export { DraftsPage } from '../drafts/drafts-page';
export { ScheduleDialog } from '../drafts/later-dialogs';
export { RemindersPage, ScheduledPage } from '../drafts/later-pages';
export { Widget } from '../widgets/widget';
export { WidgetDialog } from '../widgets/widget-dialog';
export { Details } from './details';
export { ForwardDialog } from './forward-dialog';
export { MessageMenu } from './message-menu';
export { MessageStageDialog } from './message-stage';
export { PersonCard } from './person-card';
export { ChannelMenu, TopicMenu } from './place-menus';
export { SubscriptionDialog } from './subscription-dialog';
export { UserMenu } from './user-menu';
