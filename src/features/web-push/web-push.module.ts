import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Migrations } from '../../platform/database/database.options';
import { ChannelsModule } from '../channels/channels.module';
import { MessagesModule } from '../messages/messages.module';
import { OrganizationSettingsModule } from '../organization-settings/organization-settings.module';
import { PresenceModule } from '../presence/presence.module';
import { UsersModule } from '../users/users.module';
import { QuietBrowsers1700000000049, WebPush1700000000046 } from './0046-to-0049-web-push.migration';
import { DeliverPush } from './deliver-push.service';
import { PushChoice, PushContent } from './push-choice.service';
import { PushSender, Vapid } from './push-sender.service';
import { PushSubscriptionDirectory, PushTriggers } from './push-subscription.directory';
import { PushSubscription } from './push-subscription.entity';
import { PushSubscriptions, WebPush } from './push-subscriptions.service';
import { WebPushController } from './web-push.controller';

/** Web Push: notifications of browsers while no page is open. */
@Module({
  imports: [
    TypeOrmModule.forFeature([PushSubscription]),
    OrganizationSettingsModule,
    UsersModule,
    ChannelsModule,
    MessagesModule,
    PresenceModule,
  ],
  controllers: [WebPushController],
  providers: [
    DeliverPush,
    PushChoice,
    PushContent,
    PushSender,
    PushSubscriptionDirectory,
    PushSubscriptions,
    PushTriggers,
    Vapid,
    WebPush,
  ],
})
@Migrations(WebPush1700000000046, QuietBrowsers1700000000049)
export class WebPushModule {}
