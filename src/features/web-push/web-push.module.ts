import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Migrations } from '../../platform/database/tables';
import { ChannelsModule } from '../channels/channels.module';
import { MessagesModule } from '../messages/messages.module';
import { OrganizationSettingsModule } from '../organization-settings/organization-settings.module';
import { PresenceModule } from '../presence/presence.module';
import { UsersModule } from '../users/users.module';
import { WebPush1700000000046 } from './0046-web-push.migration';
import { QuietBrowsers1700000000049 } from './0049-quiet-browsers.migration';
import { DeliverPush } from './deliver-push.service';
import { PushChoice } from './push-choice.service';
import { PushContent } from './push-content.service';
import { PushSender } from './push-sender.service';
import { PushSubscriptionDirectory, PushTriggers } from './push-subscription.directory';
import { PushSubscription } from './push-subscription.entity';
import { PushSubscriptions } from './push-subscriptions.service';
import { Vapid } from './vapid.service';
import { WebPushController } from './web-push.controller';
import { WebPush } from './web-push.service';

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
