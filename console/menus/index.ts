/** Menus and what they open, which are loaded together, with the first of them. */
export { ScheduleDialog } from '../drafts/later-dialogs';
export { Widget } from '../widgets/widget';
export { WidgetDialog } from '../widgets/widget-dialog';
export { ForwardDialog } from './forward-dialog';
export { MessageMenu } from './message-menu';
export { MessageStageDialog } from './message-stage';
export { PersonCard } from './person-card';
export { ChannelMenu, TopicMenu } from './place-menus';
export { SubscriptionDialog } from './subscription-dialog';
export { UserMenu } from './user-menu';
