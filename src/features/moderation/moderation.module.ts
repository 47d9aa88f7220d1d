import { Module } from '@nestjs/common';
import { ChannelsModule } from '../channels/channels.module';
import { MessagesModule } from '../messages/messages.module';
import { OrganizationSettingsModule } from '../organization-settings/organization-settings.module';
import { UsersModule } from '../users/users.module';
import { ReportTextService } from './report-text.service';
import { ReportsController } from './reports.controller';
import { ReportsService } from './reports.service';

/** Message reports to moderators. */
@Module({
  imports: [OrganizationSettingsModule, UsersModule, ChannelsModule, MessagesModule],
  controllers: [ReportsController],
  providers: [ReportTextService, ReportsService],
})
export class ModerationModule {}
