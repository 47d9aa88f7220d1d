import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Migrations } from '../../platform/database/database.options';
import { ChannelsModule } from '../channels/channels.module';
import { MailGatewayModule } from '../mail-gateway/mail-gateway.module';
import { MessagesModule } from '../messages/messages.module';
import { OrganizationSettingsModule } from '../organization-settings/organization-settings.module';
import { PresenceModule } from '../presence/presence.module';
import { UsersModule } from '../users/users.module';
import { NotificationChoice } from './choice/notification-choice.service';
import { MissedMailService } from './missed-mail/missed-mail.service';
import { MissedMessage } from './missed-mail/missed-message.entity';
import { MissedMessages } from './missed-mail/missed-messages.service';
import { MissedMessages1700000000060 } from './missed-mail/0060-missed-messages.migration';
import { UnsubscribeController } from './missed-mail/unsubscribe.controller';
import { Unsubscribing } from './missed-mail/unsubscribing.service';
import { NotifyAbsentService } from './notify-absent.service';
import { QuietBrowsers1700000000049, WebPush1700000000046 } from './web-push/0046-to-0049-web-push.migration';
import { DeliverPush } from './web-push/deliver-push.service';
import { PushContent } from './web-push/push-content.service';
import { PushSender, Vapid } from './web-push/push-sender.service';
import { PushSubscriptionDirectory } from './web-push/push-subscription.directory';
import { PushSubscription } from './web-push/push-subscription.entity';
import { PushSubscriptions, WebPush } from './web-push/push-subscriptions.service';
import { WebPushController } from './web-push/web-push.controller';

/** Notifications for users who are away: Web Push, and mail about missed messages. */
@Module({
  imports: [
    TypeOrmModule.forFeature([MissedMessage, PushSubscription]),
    OrganizationSettingsModule,
    UsersModule,
    ChannelsModule,
    MessagesModule,
    MailGatewayModule,
    PresenceModule,
  ],
  controllers: [UnsubscribeController, WebPushController],
  providers: [
    DeliverPush,
    MissedMailService,
    MissedMessages,
    NotificationChoice,
    NotifyAbsentService,
    PushContent,
    PushSender,
    PushSubscriptionDirectory,
    PushSubscriptions,
    Unsubscribing,
    Vapid,
    WebPush,
  ],
})
@Migrations(WebPush1700000000046, QuietBrowsers1700000000049, MissedMessages1700000000060)
export class NotificationsModule {}
