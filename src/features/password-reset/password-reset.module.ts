import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module';
import { OrganizationSettingsModule } from '../organization-settings/organization-settings.module';
import { UsersModule } from '../users/users.module';
import { PasswordLinksController } from './password-links.controller';
import { PasswordLinksService } from './password-links.service';
import { PasswordResetController } from './password-reset.controller';
import { RequestResetService } from './request-reset.service';
import { ResetLinks } from './reset-links.service';
import { ResetPasswordService } from './reset-password.service';

/** New passwords for people who have forgotten theirs, with a link that is mailed or handed to them. */
@Module({
  imports: [AuditModule, OrganizationSettingsModule, UsersModule],
  controllers: [PasswordLinksController, PasswordResetController],
  providers: [PasswordLinksService, RequestResetService, ResetLinks, ResetPasswordService],
})
export class PasswordResetModule {}
