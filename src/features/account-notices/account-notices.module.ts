import { Module } from '@nestjs/common';
import { OrganizationSettingsModule } from '../organization-settings';
import { UsersModule } from '../users';
import { EmailNoticeService } from './email-notice.service';

/** Mails that tell people what happened to their accounts. */
@Module({
  imports: [OrganizationSettingsModule, UsersModule],
  providers: [EmailNoticeService],
})
export class AccountNoticesModule {}
