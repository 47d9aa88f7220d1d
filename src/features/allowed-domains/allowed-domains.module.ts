import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module';
import { OrganizationSettingsModule } from '../organization-settings/organization-settings.module';
import { UsersModule } from '../users/users.module';
import { AllowedDomainsController } from './allowed-domains.controller';
import { AllowedDomainsService } from './allowed-domains.service';

/** Domains that the addresses of new people must belong to. */
@Module({
  imports: [AuditModule, OrganizationSettingsModule, UsersModule],
  controllers: [AllowedDomainsController],
  providers: [AllowedDomainsService],
})
export class AllowedDomainsModule {}
