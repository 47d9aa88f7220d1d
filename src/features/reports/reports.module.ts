import { Module } from '@nestjs/common';
import { ChannelsModule } from '../channels';
import { MessagesModule } from '../messages';
import { OrganizationSettingsModule } from '../organization-settings';
import { UsersModule } from '../users';
import { ReportTextService } from './report-text.service';
import { ReportsController } from './reports.controller';
import { ReportsService } from './reports.service';

/** Messages that people report to the moderators. */
@Module({
  imports: [OrganizationSettingsModule, UsersModule, ChannelsModule, MessagesModule],
  controllers: [ReportsController],
  providers: [ReportTextService, ReportsService],
})
export class ReportsModule {}
