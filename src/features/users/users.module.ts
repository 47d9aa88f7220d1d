import { Module } from '@nestjs/common';
import { OrganizationModule } from '../organization/organization.module';
import { AccountDirectory } from './account.directory';
import { CreateAccountService } from './create-account.service';

/** People and bots: accounts, profiles and personal settings. */
@Module({
  imports: [OrganizationModule],
  providers: [AccountDirectory, CreateAccountService],
  exports: [AccountDirectory, CreateAccountService],
})
export class UsersModule {}
