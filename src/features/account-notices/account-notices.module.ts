import { Module } from '@nestjs/common';
import { OrganizationSettingsModule } from '../organization-settings/organization-settings.module';
import { UsersModule } from '../users/users.module';
import { EmailNoticeService } from './email-notice.service';

/** Mails that tell people what happened to their accounts. */
@Module({
  imports: [OrganizationSettingsModule, UsersModule],
  providers: [EmailNoticeService],
})
export class AccountNoticesModule {}
