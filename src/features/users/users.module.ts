import { Module } from '@nestjs/common';
import { OrganizationModule } from '../organization/organization.module';
import { AccountDirectory } from './account.directory';

/** People and bots: accounts, profiles and personal settings. */
@Module({
  imports: [OrganizationModule],
  providers: [AccountDirectory],
  exports: [AccountDirectory],
})
export class UsersModule {}
