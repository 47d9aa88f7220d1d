import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Migrations } from '../../platform/database/database.options';
import { ChannelsModule } from '../channels/channels.module';
import { MessagesModule } from '../messages/messages.module';
import { IntegrationsModule } from '../integrations/integrations.module';
import { UploadsModule } from '../uploads/uploads.module';
import { UsersModule } from '../users/users.module';
import { MailGateway1700000000061 } from './0061-mail-gateway.migration';
import { ReceivedMail, ReplyAddress } from './mail-gateway.entity';
import { ExpireMailService } from './expire-mail.service';
import { MailTargets } from './mail-targets.service';
import { PostMailService } from './post-mail.service';
import { ReceiveMailService } from './receive-mail.service';
import { ReplyAddressService } from './reply-addresses.service';

/** Incoming mail: messages to channels, and replies to notification mails. */
@Module({
  imports: [
    TypeOrmModule.forFeature([ReplyAddress, ReceivedMail]),
    UsersModule,
    ChannelsModule,
    MessagesModule,
    UploadsModule,
    IntegrationsModule,
  ],
  providers: [ExpireMailService, MailTargets, PostMailService, ReceiveMailService, ReplyAddressService],
  exports: [ReplyAddressService],
})
@Migrations(MailGateway1700000000061)
export class MailGatewayModule {}

// What other features may import.
export { ReplyAddressService } from './reply-addresses.service';
